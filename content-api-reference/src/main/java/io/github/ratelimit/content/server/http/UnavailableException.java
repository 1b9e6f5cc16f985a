package io.github.ratelimit.content.server.http;

/** A request that is given up for what it would take of the server, or for how long its client takes. */
public final class UnavailableException extends RuntimeException {
    /** What a client is told to wait, in seconds. Chosen: most of what is in the way is gone by then. */
    public static final String RETRY_AFTER = "5";

    private static final long serialVersionUID = 1L;

    private final int status;

    private UnavailableException(int status, String message) {
        // Part of an overload: a stack trace would cost more than the rejection.
        super(message, null, false, false);
        this.status = status;
    }

    /**
     * Makes the rejection of what the server lacks at the moment.
     *
     * @param message what is lacking; a whole sentence
     * @return to be thrown; 503
     */
    public static UnavailableException busy(String message) {
        return new UnavailableException(503, message);
    }

    static UnavailableException tooLongBody(long most) {
        return new UnavailableException(413, "The body must have at most " + most + " bytes.");
    }

    static UnavailableException tooLongAnswer(int most) {
        return new UnavailableException(
                413, "The answer has more than " + most + " characters of text. Ask for fewer items, or fewer fields.");
    }

    static UnavailableException tooSlow() {
        return new UnavailableException(408, "The body took too long to come.");
    }

    /**
     * Says whether the same request may succeed later.
     *
     * @return false for what is too much at any time
     */
    public boolean isPassing() {
        return status != 413;
    }

    /**
     * Tells the status of the answer.
     *
     * @return 503, 408 for a client that took too long, or 413 for an answer or a form that is too long
     */
    public int status() {
        return status;
    }
}
