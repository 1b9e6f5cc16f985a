package io.github.ratelimit.spring.client;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.concurrent.CompletableFuture;

/**
 * Limits the calls of a {@code java.net.http.HttpClient}. Needs nothing of Spring. Safe for concurrent use; whoever made the client closes it.
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
     * @throws OutgoingRefusedException if it would have to wait for too long
     * @throws IOException as {@link HttpClient#send} does
     * @throws InterruptedException if the caller is interrupted while it waits, for its permit or for the answer
     */
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> body) throws IOException, InterruptedException {
        OutgoingCall call = call(request);
        limit.enter(call);
        return answered(call, client.send(request, body));
    }

    /**
     * Sends a request once it may be made.
     *
     * @return completes with the answer; exceptionally with {@link OutgoingRefusedException} or as {@link HttpClient#sendAsync} does
     */
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> body) {
        OutgoingCall call = call(request);
        return limit.enterAsync(call)
                .thenCompose(entered -> client.sendAsync(request, body))
                .thenApply(response -> answered(call, response))
                .toCompletableFuture();
    }

    private static OutgoingCall call(HttpRequest request) {
        return new OutgoingCall(
                request.method(), request.uri(), name -> request.headers().allValues(name));
    }

    private <T> HttpResponse<T> answered(OutgoingCall call, HttpResponse<T> response) {
        limit.answered(
                call,
                response.statusCode(),
                name -> response.headers().firstValue(name).orElse(null));
        return response;
    }
}
