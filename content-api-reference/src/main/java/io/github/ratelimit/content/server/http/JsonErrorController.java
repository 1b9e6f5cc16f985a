package io.github.ratelimit.content.server.http;

import io.github.ratelimit.content.server.html.Pages;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shapes responses of the container's error dispatch: a status set by {@code sendError}, or an uncaught exception. Browsers get a page, programs
 * JSON.
 */
@RestController
class JsonErrorController implements ErrorController {

    private final Pages pages;

    JsonErrorController(Pages pages) {
        this.pages = pages;
    }

    @RequestMapping("/error")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getDispatcherType() != DispatcherType.ERROR) {
            // Asked for directly by a client: there is no error to show, and no page at this address either.
            answer(404, request.getRequestURI(), response);
            return;
        }
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 500;
        String path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String uri ? uri : null;
        if (isFromABrowser(request) && !ErrorBody.isOfAnInterface(path)) {
            ErrorBody error = ErrorBody.of(status);
            pages.begin("message", error.title(), "Home", "")
                    .with("message", error.sentence())
                    .keepPrivate()
                    .mayBeFramedHere()
                    .send(response, status);
        } else {
            answer(status, path, response);
        }
    }

    /** Browsers that open a page, and nothing else, want HTML first. */
    private static boolean isFromABrowser(HttpServletRequest request) {
        String accepted = request.getHeader(HttpHeaders.ACCEPT);
        return accepted != null && accepted.startsWith(MediaType.TEXT_HTML_VALUE);
    }

    /** Written here and not by a converter, which would offer what is at {@code /index.php} as a file to save. */
    static void answer(int status, @Nullable String path, HttpServletResponse response) throws IOException {
        response.setStatus(status);
        if (status == HttpStatus.SERVICE_UNAVAILABLE.value() && !response.containsHeader(HttpHeaders.RETRY_AFTER)) {
            response.setHeader(HttpHeaders.RETRY_AFTER, UnavailableException.RETRY_AFTER);
        }
        if (status == HttpStatus.TOO_MANY_REQUESTS.value() || response.containsHeader(HttpHeaders.RETRY_AFTER)) {
            // Beside what is exposed already: a page elsewhere must learn how long to wait.
            response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, HttpHeaders.RETRY_AFTER);
        }
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        byte[] body = ErrorBody.of(status).json(path).getBytes(StandardCharsets.UTF_8);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
