package io.github.ratelimit.content.widget.repeat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/**
 * Records an answer. It is held back until {@link #send}, but for a stream of events, which is passed on as it comes; a
 * client that leaves in the middle of it does not stop the recording.
 */
final class RecordedResponse extends HttpServletResponseWrapper {

    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    private final Recording stream = new Recording();
    private @Nullable PrintWriter writer;
    private boolean passed;
    private boolean left;

    RecordedResponse(HttpServletResponse response) {
        super(response);
    }

    byte[] recorded() {
        if (writer != null) {
            writer.flush();
        }
        return recorded.toByteArray();
    }

    /** Sends what was held back. */
    void send() throws IOException {
        byte[] body = recorded();
        if (!passed && body.length > 0 && !isCommitted()) {
            super.setContentLength(body.length);
            super.getOutputStream().write(body);
        }
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return stream;
    }

    @Override
    public PrintWriter getWriter() {
        if (writer == null) {
            writer = new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8));
        }
        return writer;
    }

    @Override
    public void flushBuffer() throws IOException {
        if (passed && !left) {
            pass(super::flushBuffer);
        }
    }

    @Override
    public void resetBuffer() {
        recorded.reset();
        super.resetBuffer();
    }

    @Override
    public void reset() {
        recorded.reset();
        super.reset();
    }

    private interface Step {
        void run() throws IOException;
    }

    private void pass(Step step) {
        try {
            step.run();
        } catch (IOException e) {
            left = true;
        }
    }

    private final class Recording extends ServletOutputStream {

        @Override
        public void write(int next) {
            write(new byte[] {(byte) next}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            recorded.write(bytes, offset, length);
            String type = getContentType();
            passed = passed || (type != null && type.startsWith(MediaType.TEXT_EVENT_STREAM_VALUE));
            if (passed && !left) {
                pass(() -> getResponse().getOutputStream().write(bytes, offset, length));
            }
        }

        @Override
        public void flush() throws IOException {
            flushBuffer();
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new IllegalStateException("answers of these surfaces are written in one go");
        }
    }
}
