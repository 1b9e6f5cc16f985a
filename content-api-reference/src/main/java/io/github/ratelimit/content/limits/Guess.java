package io.github.ratelimit.content.limits;

import io.github.ratelimit.Decision;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One password that is tried, against one thing or several.
 *
 * <p>It costs a permit before it is looked at, so that many tries at once cost as much as one after the other. The permit is
 * given back where the password is right: honest readers use up nothing. Belongs to one thread.
 */
public final class Guess {
    private final @Nullable Supplier<Decision> take;
    private final Consumer<Decision> giveBack;
    private @Nullable Decision taken;
    private boolean isGivenBack;

    Guess(@Nullable Supplier<Decision> take, Consumer<Decision> giveBack) {
        this.take = take;
        this.giveBack = giveBack;
    }

    /**
     * Makes a try that costs nothing.
     *
     * @return for requests that the server makes by itself
     */
    public static Guess free() {
        return new Guess(null, decision -> {});
    }

    /** Too many were wrong: nobody is told whether this one is right. */
    public static final class TooManyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Duration wait;

        TooManyException(Duration wait) {
            // Part of ordinary traffic: a stack trace would cost more than the request.
            super("too many wrong passwords", null, false, false);
            this.wait = wait;
        }

        /**
         * Tells how long to wait.
         *
         * @return whole seconds, as the header field {@code Retry-After} spells them
         */
        public String retryAfter() {
            return GuessLimit.seconds(wait);
        }
    }

    /**
     * Tries credentials that lead to something.
     *
     * @param <T> what they lead to
     * @param search finds it where they are right
     * @return what was found; empty where they are wrong
     * @throws TooManyException if the address has no permit left; nothing is searched then
     */
    public <T> Optional<T> find(Supplier<Optional<T>> search) {
        Decision decision = taken;
        if (decision == null && take != null) {
            decision = take.get();
            taken = decision;
        }
        if (decision != null && !decision.allowed()) {
            throw new TooManyException(
                    Optional.of(decision).flatMap(Decision::retryAfter).orElse(Duration.ofMinutes(1)));
        }
        boolean isWrong = false; // nor is it where nothing was compared
        try {
            Optional<T> found = search.get();
            isWrong = found.isEmpty();
            return found;
        } finally {
            if (decision != null && !isWrong && !isGivenBack) {
                isGivenBack = true;
                giveBack.accept(decision);
            }
        }
    }

    /**
     * Tries the password.
     *
     * @param comparison says whether it is right
     * @return what the comparison says
     * @throws TooManyException if the address has no permit left; the comparison is not made then
     */
    public boolean isRight(BooleanSupplier comparison) {
        return find(() -> comparison.getAsBoolean() ? Optional.of(true) : Optional.empty())
                .isPresent();
    }
}
