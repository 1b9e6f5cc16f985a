package io.github.ratelimit.spring.web.reactive;

import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.HttpVerdict;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The state that an exchange keeps, in one attribute: every mutation of the exchange has it. Used by one thread at a time. */
final class ExchangeState {

    private static final String ATTRIBUTE = ExchangeState.class.getName();

    final HttpDecisions decisions = new HttpDecisions();

    private @Nullable HttpVerdict verdict;

    // The filters that the exchange has met: there are two at most, unless something is wrong.
    private @Nullable RateLimitWebFilter first;
    private @Nullable RateLimitWebFilter second;

    static ExchangeState of(ServerWebExchange exchange) {
        return (ExchangeState) exchange.getAttributes().computeIfAbsent(ATTRIBUTE, name -> new ExchangeState());
    }

    /** Ends an exchange: its response is complete, or its client is gone. */
    static void end(ServerWebExchange exchange) {
        if (exchange.getAttributes().get(ATTRIBUTE) instanceof ExchangeState state) {
            state.decisions.end();
        }
    }

    /** Whether the exchange has met this filter before. */
    @SuppressWarnings("ReferenceEquality") // the very same one
    boolean meetsAgain(RateLimitWebFilter filter) {
        if (first == filter || second == filter) {
            return true;
        }
        if (first == null) {
            first = filter;
        } else {
            second = filter;
        }
        return false;
    }

    /** Settles what a limiter took, and tells it if the response has not begun yet. */
    CompletableFuture<Void> settle(ServerWebExchange exchange, String limiter, long actual) {
        CompletableFuture<Void> done = decisions.settle(limiter, actual);
        if (verdict != null && !exchange.getResponse().isCommitted()) {
            verdict.writeFields(exchange.getResponse().getHeaders()::set);
        }
        return done;
    }

    /** Sets the verdict's fields: those of a rejection tell the client. */
    void write(HttpVerdict verdict, ServerWebExchange exchange) {
        this.verdict = verdict;
        if (!verdict.allowed()) {
            decisions.tellRejection();
        }
        HttpHeaders headers = exchange.getResponse().getHeaders();
        verdict.writeFields(headers::set);
        exchange.getResponse()
                .beforeCommit(() -> Mono.fromRunnable(() -> verdict.writeFields((name, value) -> {
                    List<String> lines = HeaderLines.of(headers, name);
                    if (lines.size() > 1) {
                        headers.set(name, lines.get(0)); // a gateway adds those of the server behind it
                    }
                })));
    }
}
