package io.github.ratelimit.spring.internal.web.reactive;

import io.github.ratelimit.Decision;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.spring.RateLimitedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** The state that an exchange keeps, in one attribute: every mutation of the exchange has it. Used by one thread at a time. */
public final class ExchangeState {

    private static final String ATTRIBUTE = ExchangeState.class.getName();

    private final HttpDecisions decisions = new HttpDecisions();

    private @Nullable HttpVerdict verdict;

    // The filters that the exchange has met: there are two at most, unless something is wrong.
    private @Nullable Object first;
    private @Nullable Object second;

    /** That of an exchange; made with the first call. */
    public static ExchangeState of(ServerWebExchange exchange) {
        return (ExchangeState) exchange.getAttributes().computeIfAbsent(ATTRIBUTE, name -> new ExchangeState());
    }

    /** What was decided about the exchange. */
    public HttpDecisions decisions() {
        return decisions;
    }

    /** The last decision about the exchange. */
    public Decision decision() {
        return verdict == null ? Decision.unlimited() : verdict.decision();
    }

    /** The exchange, for the code that settles it. */
    public RateLimitedCall call(ServerWebExchange exchange) {
        return new RateLimitedCall(this::decision, (limiter, actual) -> settle(exchange, limiter, actual), null);
    }

    /** Tells the decisions of an exchange its end: the status is certain once the response begins, also after an error. */
    public static void ended(ServerWebExchange exchange, SignalType signal) {
        if (exchange.getAttribute(ATTRIBUTE) instanceof ExchangeState state) {
            state.decisions.release(); // a response that is still to come may never do
            ServerHttpResponse response = exchange.getResponse();
            if (response.isCommitted()) {
                state.decisions.ended(status(response));
            } else if (signal == SignalType.CANCEL) {
                state.decisions.ended(HttpDecisions.UNKNOWN);
            } else {
                response.beforeCommit(() -> Mono.fromRunnable(() -> state.decisions.ended(status(response))));
            }
        }
    }

    private static int status(ServerHttpResponse response) {
        HttpStatusCode status = response.getStatusCode();
        return status == null ? HttpVerdict.OK : status.value();
    }

    /** Whether the exchange has met this filter before. */
    @SuppressWarnings("ReferenceEquality") // the very same one
    public boolean meetsAgain(Object filter) {
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
    public CompletableFuture<Void> settle(ServerWebExchange exchange, String limiter, long actual) {
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
                .beforeCommit(() -> Mono.fromRunnable(() -> {
                    boolean rejectedBehind =
                            allowed() && status(exchange.getResponse()) == HttpVerdict.TOO_MANY_REQUESTS;
                    verdict.writeFields((name, value) -> {
                        List<String> lines = new ArrayList<>(ServerOrigin.lines(headers, name));
                        if (rejectedBehind && lines.remove(value)) {
                            headers.put(name, lines); // the server behind a gateway rejected it by its own limits
                        } else if (lines.size() > 1) {
                            headers.set(name, lines.get(0)); // a gateway adds those of the server behind it
                        }
                    });
                }));
    }

    /** Whether the last verdict is no rejection. */
    private boolean allowed() {
        return verdict == null || verdict.allowed();
    }
}
