package io.github.ratelimit.spring.client;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.http.client.OutgoingCall;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.http.client.OutgoingRejectedException;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Limits the calls of a {@code WebClient}: nothing is blocked, and each subscription is a call. Safe for concurrent use.
 *
 * <p>A permit of a concurrency limit comes back when the body has ended, also by a failure, or is released or cancelled.
 *
 * <p>An {@link OutgoingRejectedException} is how the answer fails. Calls that waited continue on Reactor's parallel scheduler.
 */
public final class OutgoingFilter implements ExchangeFilterFunction {

    private final OutgoingLimit limit;

    /** Makes one. */
    public OutgoingFilter(OutgoingLimit limit) {
        this.limit = limit;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        HttpHeaders headers = request.headers();
        return Mono.defer(() -> {
            OutgoingCall call = new OutgoingCall(
                    request.method().name(), request.url(), name -> OutgoingInterceptor.lines(headers, name));
            CompletableFuture<Decision> entry = limit.enterAsync(call).toCompletableFuture();
            boolean now = entry.isDone();
            Mono<Decision> entered = Mono.fromFuture(entry);
            return (now ? entered : entered.publishOn(Schedulers.parallel()))
                    .then(Mono.defer(() -> {
                        Hold hold = limit.hold(call);
                        return next.exchange(request)
                                .doOnCancel(hold::close)
                                .doOnError(failure -> hold.close())
                                .map(response -> answered(call, response, hold));
                    }))
                    .doFinally(end -> limit.hold(call).close()); // if it was cancelled before the exchange
        });
    }

    private ClientResponse answered(OutgoingCall call, ClientResponse response, Hold hold) {
        HttpHeaders answer = response.headers().asHttpHeaders();
        limit.answered(call, response.statusCode().value(), answer::getFirst);
        return hold == Hold.NOTHING
                ? response
                : response.mutate()
                        .body(body -> body.doFinally(end -> hold.close()))
                        .build();
    }
}
