package io.github.ratelimit.remote;

import io.github.ratelimit.StoreException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** No decision. Without a stack trace: in an outage there is one for each request, and each would say the same. */
public final class UnansweredException extends StoreException {

    /** The server's part in a failure. */
    public enum Meaning {
        /** Nothing: only these requests have failed. */
        REQUEST,
        /** The server cannot decide now: after five failures in a row it is not asked any more. */
        SERVER,
        /** The server at the other end is not the one that decides any more, so that another connection is needed. */
        CONNECTION,
        /** No answer in time. There may be one yet. */
        LATE,
        /** No answer, and there will be none: the connection broke. The server may have carried it out. */
        LOST
    }

    private static final long serialVersionUID = 1;

    private final Meaning meaning;

    /**
     * Describes a failure.
     *
     * @param message contains no key and no password
     */
    public UnansweredException(Meaning meaning, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.meaning = meaning;
    }

    /** Describes a failure that says nothing of the server. */
    public UnansweredException(String message) {
        this(Meaning.REQUEST, message, null);
    }

    /** There may be an answer yet. */
    public static UnansweredException late(String product) {
        return new UnansweredException(Meaning.LATE, "no answer from " + product + " in time", null);
    }

    /** The connection broke. */
    public static UnansweredException lost(String product, @Nullable Throwable cause) {
        return new UnansweredException(
                Meaning.LOST, "the connection to %s failed: %s".formatted(product, words(cause)), cause);
    }

    /** The server's part in it. */
    public Meaning meaning() {
        return meaning;
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // it does nothing
    public Throwable fillInStackTrace() {
        return this;
    }

    /** The reason of a failure: the message of its first cause, or else what the cause is called. */
    public static String words(@Nullable Throwable failure) {
        if (failure == null) {
            return "no answer";
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        if (message != null && !message.isBlank()) {
            return root instanceof LinkageError ? root.toString() : message;
        }
        return root.getClass()
                .getSimpleName()
                .replaceAll("^Stackless|Exception$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}
