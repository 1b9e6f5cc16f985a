package io.github.ratelimit.servlet;

import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import jakarta.servlet.ServletOutputStream;
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
     * <p>Call it before the request is served, so that responses of any status have them. Each field is set, not added: what an earlier
     * verdict of the same request has set is replaced. The fields of a rejection tell the client: what the request is dispatched to after
     * that is not rejected again.
     */
    public static void writeFields(HttpVerdict verdict, HttpServletRequest request, HttpServletResponse response) {
        RequestState.of(request).write(verdict, response);
    }

    /**
     * Ends a request, when its asynchronous part is complete if there is one: {@link HttpDecisions#ended}. Does nothing behind a filter, which
     * does so by itself.
     *
     * @param returned whether no exception escaped
     */
    public static void end(HttpServletRequest request, HttpServletResponse response, boolean returned) {
        RequestState remembered = RequestState.find(request);
        if (remembered != null) {
            remembered.endUnlessFiltered(request, response, returned);
        }
    }

    /**
     * Answers a rejected request: fields, status and body.
     *
     * @param verdict one that is not allowed
     * @param body makes the answer; its status is the response's
     * @param call what was rejected
     * @throws IOException if the client is gone
     */
    public static void reject(HttpVerdict verdict, RejectionBody body, ServletCall call, HttpServletResponse response)
            throws IOException {
        call.remembered().write(verdict, response);
        write(body.of(verdict, call), response);
    }

    /**
     * Writes an answer; of one without text, sends its status as an error.
     *
     * @throws IOException if the client is gone
     */
    public static void write(RejectionBody.Content content, HttpServletResponse response) throws IOException {
        if (content.text().isEmpty()) {
            response.sendError(content.status());
            return;
        }
        byte[] bytes = content.text().getBytes(StandardCharsets.UTF_8);
        response.setStatus(content.status());
        response.setContentType(content.type());
        ServletOutputStream output;
        try {
            output = response.getOutputStream();
        } catch (IllegalStateException e) { // the rejected code has begun to write text
            response.resetBuffer();
            response.getWriter().write(content.text());
            return;
        }
        response.setContentLength(bytes.length);
        output.write(bytes);
    }
}
