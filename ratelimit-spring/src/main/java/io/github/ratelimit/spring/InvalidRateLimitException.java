package io.github.ratelimit.spring;

/** An annotation or a property says something that cannot be done. Stops the start. */
public class InvalidRateLimitException extends IllegalStateException {

    private static final long serialVersionUID = 1;

    private final String remedy;

    /**
     * Makes one.
     *
     * @param message what is wrong where
     * @param remedy what to do about it
     */
    public InvalidRateLimitException(String message, String remedy) {
        super(message);
        this.remedy = remedy;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
