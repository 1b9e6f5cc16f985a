package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RefusalBody;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes verdicts into servlet responses. */
public final class ServletVerdict {

    private ServletVerdict() {}

    /**
     * Sets a verdict's header fields and remembers them with the request.
     *
     * <p>Call it before the request is served, so that the response has them whatever its status turns out to be. Each field is set, not
     * added: what an earlier verdict of the same request has set is replaced.
     */
    public static void writeFields(HttpVerdict verdict, HttpServletRequest request, HttpServletResponse response) {
        Remembered remembered = Remembered.of(request);
        remembered.fields = verdict.fields();
        set(remembered, response);
    }

    /** Sets the fields of the request's last verdict once more, after somebody may have reset the response. */
    public static void rewriteFields(ServletRequest request, HttpServletResponse response) {
        Remembered remembered = Remembered.find(request);
        if (remembered != null) {
            set(remembered, response);
        }
    }

    private static void set(Remembered remembered, HttpServletResponse response) {
        remembered.fields.forEach(response::setHeader);
    }

    /**
     * Answers a refused request: fields, status and body.
     *
     * @param verdict one that is not allowed
     * @throws IOException if the client is gone
     */
    public static void refuse(
            HttpVerdict verdict, RefusalBody body, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        writeFields(verdict, request, response);
        write(verdict.status(), body.of(verdict), response);
    }

    static void write(int status, RefusalBody.Content content, HttpServletResponse response) throws IOException {
        byte[] bytes = content.text().getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType(content.type());
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
