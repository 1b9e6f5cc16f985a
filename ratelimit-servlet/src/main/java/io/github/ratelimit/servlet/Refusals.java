package io.github.ratelimit.servlet;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RefusalBody;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Answers refused requests. Safe for concurrent use. */
@FunctionalInterface
public interface Refusals {

    /**
     * Writes the answer: header fields, status and body.
     *
     * @param verdict one that is not allowed
     * @throws IOException if the client is gone
     */
    void answer(HttpVerdict verdict, ServletCall call, HttpServletResponse response) throws IOException;

    /** Answers by a body. */
    static Refusals by(RefusalBody body) {
        requireNonNull(body, "refusalBody");
        return (verdict, call, response) -> ServletVerdict.refuse(verdict, body, call, response);
    }
}
