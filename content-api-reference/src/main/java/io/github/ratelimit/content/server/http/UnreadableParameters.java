package io.github.ratelimit.content.server.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/** Answers 400 if the container cannot read the parameters of a request. Uncaught, each would be logged with a stack trace. */
@ControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
class UnreadableParameters {

    @ExceptionHandler({InvalidParameterException.class, UnavailableException.class})
    void answer(RuntimeException problem, HttpServletRequest request, HttpServletResponse response) throws IOException {
        int status = problem instanceof UnavailableException unread
                ? unread.status()
                : ((InvalidParameterException) problem).getErrorCode();
        JsonErrorController.answer(status, request.getRequestURI(), response);
    }
}
