package io.github.ratelimit.remote;

import io.github.ratelimit.remote.UnansweredException.Meaning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A server's reply to a call: numbers, and the errors of single groups. Written by the backend, then read once; for one thread at a time. */
public final class Reply {

    static final String NO_REPLY = "the server answered in a form that no version of this store has";

    private final List<String> errors = new ArrayList<>(0);
    private long[] numbers = new long[8];
    private int size;
    private int read;
    private int errorsRead;
    private @Nullable UnansweredException trouble;

    /** Makes an empty one. */
    public Reply() {}

    /** Adds a number. */
    public void add(long number) {
        if (size == numbers.length) {
            numbers = Arrays.copyOf(numbers, size * 2);
        }
        numbers[size++] = number;
    }

    /**
     * Adds the error of the group whose number was the last one.
     *
     * @param meaning the server's part in it
     */
    public void add(String error, Meaning meaning) {
        errors.add(error);
        if (meaning != Meaning.REQUEST) {
            trouble = new UnansweredException(meaning, error, null);
        }
    }

    /** The error that says something of the server; null if there is none. */
    @Nullable
    UnansweredException trouble() {
        return trouble;
    }

    /** Whether a number is left. */
    public boolean hasNext() {
        return read < size;
    }

    /**
     * The next number.
     *
     * @throws UnansweredException if there is none
     */
    public long next() {
        if (read == size) {
            throw new UnansweredException(NO_REPLY);
        }
        return numbers[read++];
    }

    String nextError() {
        return errorsRead == errors.size() ? "an error without a text" : errors.get(errorsRead++);
    }
}
