package io.github.ratelimit.spring.internal.web.reactive;

import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.spring.ExchangeCost;
import io.github.ratelimit.spring.internal.method.ReactiveAnswers;
import io.micrometer.observation.Observation;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** Asks for verdicts, and writes them into the responses of exchanges. */
public final class ExchangeVerdict {

    private ExchangeVerdict() {}

    /**
     * Asks all of these limiters about a call, in one decision, each time that it is subscribed to.
     *
     * <p>The rest never runs on a thread of the store: it continues on the same thread if the store answers at once. Otherwise a request on
     * Reactor Netty continues on the event loop of its connection, and one on another server on Reactor's parallel scheduler.
     *
     * @param names all limiters that the call meets here, in the order that fields list them
     * @param cost the cost of the request
     */
    public static Mono<HttpVerdict> of(
            HttpRateLimiter limiter, List<String> names, ExchangeCall call, ExchangeCost cost) {
        return Mono.deferContextual(context -> {
            CompletableFuture<HttpVerdict> verdict = observed(
                            context, () -> limiter.checkAsync(names, call, name -> cost.of(name, call.exchange())))
                    .toCompletableFuture();
            // A client that goes away has been counted: a decision under way is not cancelled.
            return ReactiveAnswers.decided(verdict, true, () -> ServerOrigin.scheduler(call.exchange()));
        });
    }

    /** Meanwhile the request's observation is the current one: a listener may write onto its span. */
    private static <T> T observed(ContextView context, Supplier<T> ask) {
        return context.getOrDefault(ObservationThreadLocalAccessor.KEY, null) instanceof Observation request
                ? request.scoped(ask)
                : ask.get();
    }

    /**
     * Sets a verdict's header fields.
     *
     * <p>Call it before the request is served, so that responses of any status have them. Each field is set, not added: what an earlier
     * verdict of the same request has set is replaced. The fields of a rejection tell the client: what the exchange is dispatched to after
     * that is not rejected again.
     */
    public static void writeFields(HttpVerdict verdict, ServerWebExchange exchange) {
        ExchangeState.of(exchange).write(verdict, exchange);
    }

    /**
     * Answers a rejected request: fields, status and body.
     *
     * @param verdict one that is not allowed
     * @param body makes the answer; its status is the response's
     * @param call what was rejected
     * @return completes when the answer is written
     */
    public static Mono<Void> reject(HttpVerdict verdict, RejectionBody body, ExchangeCall call) {
        writeFields(verdict, call.exchange());
        return write(body.of(verdict, call), call.exchange());
    }

    /** Writes an answer; of one without text, fails with its status. */
    public static Mono<Void> write(RejectionBody.Content content, ServerWebExchange exchange) {
        if (content.text().isEmpty()) {
            return Mono.error(new ResponseStatusException(HttpStatusCode.valueOf(content.status())));
        }
        byte[] bytes = content.text().getBytes(StandardCharsets.UTF_8);
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatusCode.valueOf(content.status()));
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, content.type());
        response.getHeaders().setContentLength(bytes.length);
        DataBuffer buffer = response.bufferFactory().wrap(bytes);
        return response.writeWith(Mono.just(buffer));
    }
}
