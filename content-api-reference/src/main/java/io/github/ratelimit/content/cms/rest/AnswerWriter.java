package io.github.ratelimit.content.cms.rest;

import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Sends a body while it is written: what is short at once, with its length; of what is longer no more is held than that. For one answer, and one
 * thread.
 */
final class AnswerWriter extends OutputStream {
    /** In bytes. Chosen: nearly every answer is shorter, and clients like to know how much is to come. */
    static final int MOST_HELD = 64 * 1024;

    private final HttpServletResponse response;
    private final long mostHeld;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream(1024);
    private boolean isLong;

    /** Takes the answer when its status and fields are set. */
    AnswerWriter(HttpServletResponse response) {
        this(response, MOST_HELD);
    }

    /** For one whose client may have to know all of its length, at most so many bytes of it. */
    AnswerWriter(HttpServletResponse response, long mostHeld) {
        this.response = response;
        this.mostHeld = mostHeld;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        if (!isLong && held.size() + length <= mostHeld) {
            held.write(from, offset, length);
            return;
        }
        if (!isLong) {
            isLong = true;
            held.writeTo(response.getOutputStream());
            held.reset();
        }
        response.getOutputStream().write(from, offset, length);
    }

    /** Sends what is held. Not done by closing: what broke off before must not look like an answer. */
    void finish() throws IOException {
        if (!isLong) {
            response.setContentLength(held.size());
            held.writeTo(response.getOutputStream());
        }
    }
}
