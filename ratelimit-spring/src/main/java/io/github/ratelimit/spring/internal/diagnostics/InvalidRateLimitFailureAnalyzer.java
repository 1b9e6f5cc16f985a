package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Shows a mistake and its remedy when an application starts, without a stack trace. Before Spring Boot's own analyzers, as binding wraps it. */
@Order(0)
public class InvalidRateLimitFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRateLimitException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidRateLimitException cause) {
        String message = cause.getMessage();
        return cause.diagnostic()
                .map(known -> new FailureAnalysis(
                        known.code() + ": " + message, "%s (%s)".formatted(cause.remedy(), known.page()), cause))
                .orElseGet(() -> new FailureAnalysis(message, cause.remedy(), cause));
    }
}
