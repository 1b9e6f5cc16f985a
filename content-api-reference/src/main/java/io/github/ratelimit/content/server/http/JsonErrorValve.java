package io.github.ratelimit.content.server.http;

import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;

/**
 * Answers in JSON where Tomcat rejects a request before any filter or servlet sees it: a malformed request line, a
 * header that is too long, an encoded slash.
 */
public final class JsonErrorValve extends ErrorReportValve {

    /** Creates the valve; Tomcat does so by its class name. */
    public JsonErrorValve() {
        setShowReport(false);
        setShowServerInfo(false);
    }

    @Override
    protected void report(Request request, Response response, Throwable throwable) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        // Nothing can be written when the connection is already unusable; Tomcat's own valve asks the same.
        var ioAllowed = new AtomicBoolean(false);
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, ioAllowed);
        if (!ioAllowed.get()) {
            return;
        }
        try {
            response.setContentType("application/json");
            response.setCharacterEncoding("UTF-8");
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write(ErrorBody.of(status).json(request.getRequestURI()));
                response.finishResponse();
            }
        } catch (IOException e) {
            // The client is gone: there is nobody left to tell.
            container.getLogger().debug("error answer could not be written", e);
        }
    }
}
