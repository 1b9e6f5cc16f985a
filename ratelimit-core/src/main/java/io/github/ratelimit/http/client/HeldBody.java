package io.github.ratelimit.http.client;

import io.github.ratelimit.Hold;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** A body that ends its call's hold when it has arrived, has failed or is cancelled, before its reader hears of it. */
record HeldBody<T>(BodySubscriber<T> body, Hold hold) implements BodySubscriber<T> {

    @Override
    public CompletionStage<T> getBody() {
        return body.getBody();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        body.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long more) {
                subscription.request(more);
            }

            @Override
            public void cancel() {
                hold.close();
                subscription.cancel();
            }
        });
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        body.onNext(bytes);
    }

    @Override
    public void onError(Throwable failure) {
        hold.close();
        body.onError(failure);
    }

    @Override
    public void onComplete() {
        hold.close();
        body.onComplete();
    }
}
