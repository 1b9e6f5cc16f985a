package io.github.ratelimit.servlet;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers rejected requests. Safe for concurrent use. */
@FunctionalInterface
public interface Rejections {

    /**
     * Writes the answer: header fields, status and body.
     *
     * @param verdict one that is not allowed
     * @throws IOException if the client is gone
     */
    void answer(HttpVerdict verdict, ServletCall call, HttpServletResponse response) throws IOException;

    /** Answers by a body. */
    static Rejections by(RejectionBody body) {
        requireNonNull(body, "rejectionBody");
        return (verdict, call, response) -> ServletVerdict.reject(verdict, body, call, response);
    }
}
