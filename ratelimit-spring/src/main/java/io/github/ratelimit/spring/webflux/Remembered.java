package io.github.ratelimit.spring.webflux;

import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.HttpVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What is kept with an exchange, in one attribute: every mutation of the exchange has it. Used by one thread at a time. */
final class Remembered {

    private static final String ATTRIBUTE = Remembered.class.getName();

    final HttpDecisions decisions = new HttpDecisions();

    // The filters that the exchange has met: there are two at most, unless something is wrong.
    private @Nullable RateLimitWebFilter first;
    private @Nullable RateLimitWebFilter second;

    static Remembered of(ServerWebExchange exchange) {
        return (Remembered) exchange.getAttributes().computeIfAbsent(ATTRIBUTE, name -> new Remembered());
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

    /** Sets the verdict's fields: those of a refusal tell the client. */
    void write(HttpVerdict verdict, ServerWebExchange exchange) {
        if (!verdict.allowed()) {
            decisions.tellRefusal();
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
