package io.github.ratelimit;

/**
 * Finds the key of what is limited.
 *
 * <p>Called on the caller's thread, often concurrently; an implementation is safe for that and does not block.
 *
 * @param <R> what is limited: an HTTP call, a message, a job
 */
@FunctionalInterface
public interface KeyResolver<R> {

    /**
     * Finds the key.
     *
     * @return the key, never null; what the request lacks is an {@linkplain Key#absent() absent} part, never "no limit"
     */
    Key resolve(R request);

    /** Both keys' parts. */
    default KeyResolver<R> and(KeyResolver<? super R> other) {
        return request -> resolve(request).and(other.resolve(request));
    }

    /**
     * The other key where this one is absent.
     *
     * <p>The other key stands behind an absent part, so that what it says is never taken for something that this one says.
     */
    default KeyResolver<R> orElse(KeyResolver<? super R> other) {
        return request -> {
            Key key = resolve(request);
            return key.isAbsent() ? Key.absent().and(other.resolve(request)) : key;
        };
    }
}
