package io.github.ratelimit.http.client;

import io.github.ratelimit.Hold;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Limits the calls of a {@code java.net.http.HttpClient}. A permit of a concurrency limit comes back when the body has arrived or is cancelled, as
 * closing its stream does. Safe for concurrent use. Does not close the client.
 */
public final class LimitedHttpClient {

    private final HttpClient client;
    private final OutgoingLimit limit;

    /** Makes one. */
    public LimitedHttpClient(HttpClient client, OutgoingLimit limit) {
        this.client = client;
        this.limit = limit;
    }

    /**
     * Sends a request once it may be made; the calling thread waits.
     *
     * @throws OutgoingRejectedException if it would have to wait for too long
     * @throws IOException as {@link HttpClient#send} does
     * @throws InterruptedException if the caller is interrupted while it waits, for its permit or for the answer
     */
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        OutgoingCall call = call(request, request.uri());
        limit.enter(call);
        Hold hold = limit.hold(call);
        try {
            return answered(call, client.send(request, held(body, hold)));
        } catch (Throwable e) {
            hold.close();
            throw e;
        }
    }

    /**
     * Sends a request once it may be made.
     *
     * @return completes with the answer; exceptionally with {@link OutgoingRejectedException} or as {@link HttpClient#sendAsync} does; cancelling it
     *     ends the wait, and then nothing is sent, or the exchange
     */
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> body) {
        CompletableFuture<HttpResponse<T>> answer = new CompletableFuture<>();
        OutgoingCall call = call(request, request.uri());
        cancelledWith(answer, limit.enterAsync(call).toCompletableFuture())
                .thenCompose(entered -> {
                    Hold hold = limit.hold(call);
                    answer.whenComplete((response, failure) -> {
                        if (failure != null) {
                            hold.close();
                        }
                    });
                    return cancelledWith(
                            answer,
                            answer.isDone()
                                    ? new CompletableFuture<HttpResponse<T>>()
                                    : client.sendAsync(request, held(body, hold)));
                })
                .whenComplete((response, failure) -> {
                    if (failure == null) {
                        answer.complete(answered(call, response));
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
        return answer;
    }

    private static <T> BodyHandler<T> held(BodyHandler<T> body, Hold hold) {
        return hold == Hold.NOTHING ? body : answer -> new HeldBody<>(body.apply(answer), hold);
    }

    /** A step towards an answer, which nobody needs any more once there is one or the caller has gone. */
    private static <T> CompletionStage<T> cancelledWith(CompletionStage<?> answer, CompletableFuture<T> step) {
        answer.whenComplete((response, failure) -> step.cancel(true));
        return step;
    }

    private static OutgoingCall call(HttpRequest request, URI uri) {
        return new OutgoingCall(request.method(), uri, name -> request.headers().allValues(name));
    }

    /** A server's answer holds for that server: behind a redirect, it is not the called one. */
    private <T> HttpResponse<T> answered(OutgoingCall called, HttpResponse<T> response) {
        OutgoingCall last = call(response.request(), response.uri());
        last.taken = called.taken;
        limit.answered(
                last,
                response.statusCode(),
                name -> response.headers().firstValue(name).orElse(null));
        return response;
    }
}
