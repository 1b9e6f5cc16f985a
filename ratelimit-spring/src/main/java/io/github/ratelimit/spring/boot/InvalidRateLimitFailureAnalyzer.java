package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.InvalidRateLimitException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells whoever starts an application what is wrong and what to do, without a stack trace. */
class InvalidRateLimitFailureAnalyzer extends AbstractFailureAnalyzer<InvalidRateLimitException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidRateLimitException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
    }
}
