package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

/**
 * Finds the key of a request.
 *
 * <p>Called on the caller's thread, often concurrently; an implementation is safe for that and does not block.
 *
 * <pre>{@code
 * KeyResolver<Mail> sender = mail -> mail.sender().isEmpty() ? Key.absent() : Key.of(mail.sender());
 * KeyResolver<Mail> size = mail -> Key.of(mail.recipients() > 100 ? "large" : "small");
 * KeyResolver<Mail> senderAndSize = sender.and(size);
 * }</pre>
 *
 * @param <R> the type of request: an HTTP call, a message, a job
 */
@FunctionalInterface
public interface KeyResolver<R> {

    /**
     * Finds the key.
     *
     * @return the key, never null; what the request lacks is an {@linkplain Key#absent() absent} part, never "no limit"
     */
    Key resolve(R request);

    /** One key for all requests, so that they share one count. Always the same object. */
    static KeyResolver<Object> everybody() {
        return Key.EVERYBODY;
    }

    /** The phase that this key can be resolved in first; {@link Phase#BEFORE_AUTHENTICATION} if not said otherwise. */
    default Phase phase() {
        return Phase.BEFORE_AUTHENTICATION;
    }

    /** The same resolver, available only after authentication. */
    default KeyResolver<R> afterAuthentication() {
        return of(this, Phase.AFTER_AUTHENTICATION);
    }

    /** Both keys' parts. */
    default KeyResolver<R> and(KeyResolver<? super R> other) {
        return of(request -> resolve(request).and(other.resolve(request)), Phase.later(phase(), other.phase()));
    }

    /**
     * The other key where this one is absent.
     *
     * <p>The other key stands behind the absent parts of this one. So the keys of two alternatives are never equal, even if they have
     * the same text: {@code a.orElse(b).orElse(c)} gives {@code [a]}, {@code [-, b]} or {@code [-, -, c]}.
     */
    default KeyResolver<R> orElse(KeyResolver<? super R> other) {
        return of(
                request -> {
                    Key key = resolve(request);
                    return key.isAbsent() ? key.replacedBy(other.resolve(request)) : key;
                },
                Phase.later(phase(), other.phase()));
    }

    private static <R> KeyResolver<R> of(KeyResolver<R> resolver, Phase phase) {
        if (resolver.phase() == phase) {
            return resolver;
        }
        return new KeyResolver<>() {
            @Override
            public Key resolve(R request) {
                return requireNonNull(resolver.resolve(request), "a key resolver answered null; answer Key.absent()");
            }

            @Override
            public Phase phase() {
                return phase;
            }
        };
    }
}
