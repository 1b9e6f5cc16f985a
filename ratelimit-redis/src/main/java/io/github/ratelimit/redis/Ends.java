package io.github.ratelimit.redis;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Tells of how things end, where nothing comes after that. */
final class Ends {

    private Ends() {}

    /**
     * Runs the listener when it ends, on the thread that ends it.
     *
     * @param listener is given the result or why there is none; does not throw
     */
    static <T> void of(
            CompletionStage<T> stage, BiConsumer<? super @Nullable T, ? super @Nullable Throwable> listener) {
        CompletionStage<T> unused = stage.whenComplete(listener);
    }

    /** Why it really failed, without the wrapper that a stage puts around what another one threw. */
    static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
