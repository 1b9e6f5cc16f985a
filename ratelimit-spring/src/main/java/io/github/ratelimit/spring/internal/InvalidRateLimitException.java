package io.github.ratelimit.spring.internal;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An annotation or a property says something that cannot be done. Stops the start. */
public class InvalidRateLimitException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String remedy;
    private final @Nullable Diagnostic diagnostic;

    /**
     * Makes one.
     *
     * @param message the mistake and its place
     * @param remedy the remedy
     */
    public InvalidRateLimitException(String message, String remedy) {
        this(null, message, remedy);
    }

    /**
     * Makes one that has a section in the manual.
     *
     * @param message the mistake and its place
     * @param remedy the remedy
     */
    public InvalidRateLimitException(@Nullable Diagnostic diagnostic, String message, String remedy) {
        super(message);
        this.remedy = remedy;
        this.diagnostic = diagnostic;
    }

    /** The remedy. */
    public String remedy() {
        return remedy;
    }

    /** Its section in the manual, if it has one. */
    public Optional<Diagnostic> diagnostic() {
        return Optional.ofNullable(diagnostic);
    }
}
