package io.github.ratelimit.content.container;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shapes what reaches the container's error dispatch: a status set by {@code sendError}, or an exception nobody caught. */
@RestController
class JsonErrorController implements ErrorController {

    @RequestMapping("/error")
    ResponseEntity<String> error(HttpServletRequest request) {
        if (request.getDispatcherType() != DispatcherType.ERROR) {
            // Asked for directly by a client: there is no error to show, and no page at this address either.
            return answer(404, request.getRequestURI());
        }
        int status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) instanceof Integer code ? code : 500;
        if (request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof Throwable problem
                && NestedExceptionUtils.getMostSpecificCause(problem) instanceof InvalidParameterException) {
            status = 400; // a query or form that is not percent-encoded UTF-8: the client's mistake, not ours
        }
        String path = request.getAttribute(RequestDispatcher.ERROR_REQUEST_URI) instanceof String uri ? uri : null;
        return answer(status, path);
    }

    private static ResponseEntity<String> answer(int status, @Nullable String path) {
        return ResponseEntity.status(status)
                .contentType(MediaType.APPLICATION_JSON)
                .body(ErrorBody.json(status, path));
    }
}
