package io.github.ratelimit.content.widget.repeat;

import io.github.ratelimit.content.shared.storage.Sha256;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Takes the digest of a request while its body is read. */
final class DigestedRequest extends HttpServletRequestWrapper {

    private final MessageDigest digest = Sha256.begin();
    private @Nullable ServletInputStream body;
    private long count;

    DigestedRequest(HttpServletRequest request) {
        super(request);
        String target = request.getServletPath() + '?' + request.getQueryString();
        digest.update(target.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
    }

    /** How much of the body was read. */
    long count() {
        return count;
    }

    /** The digest of path, query and what was read; once. */
    String fingerprint() {
        return HexFormat.of().formatHex(digest.digest());
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (body == null) {
            body = new Digested(super.getInputStream());
        }
        return body;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
    }

    private final class Digested extends ServletInputStream {

        private final ServletInputStream from;

        Digested(ServletInputStream from) {
            this.from = from;
        }

        @Override
        public int read() throws IOException {
            int next = from.read();
            if (next >= 0) {
                digest.update((byte) next);
                count++;
            }
            return next;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int got = from.read(buffer, offset, length);
            if (got > 0) {
                digest.update(buffer, offset, got);
                count += got;
            }
            return got;
        }

        @Override
        public boolean isFinished() {
            return from.isFinished();
        }

        @Override
        public boolean isReady() {
            return from.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            from.setReadListener(listener);
        }
    }
}
