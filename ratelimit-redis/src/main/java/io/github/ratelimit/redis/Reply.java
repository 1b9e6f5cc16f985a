package io.github.ratelimit.redis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a script answered: numbers, and the texts of errors that single runs met. Read once, from start to end, by one thread.
 */
final class Reply {

    private final List<String> errors = new ArrayList<>(0);
    private long[] numbers = new long[1];
    private int size;
    private int read;
    private int errorsRead;

    /** Expects that many numbers. */
    void expect(int count) {
        if (count > numbers.length) {
            numbers = Arrays.copyOf(numbers, count);
        }
    }

    void add(long number) {
        if (size == numbers.length) {
            expect(size * 2);
        }
        numbers[size++] = number;
    }

    void addError(String error) {
        errors.add(error);
    }

    /**
     * The next number.
     *
     * @throws Unanswered if there is none: this was no answer of our script
     */
    long next() {
        if (read == size) {
            throw new Unanswered("Redis answered in a form that no script of this version has; is a proxy in between?");
        }
        return numbers[read++];
    }

    /** The next run's error. */
    String nextError() {
        return errorsRead == errors.size() ? "an error without a text" : errors.get(errorsRead++);
    }

    /** An error that a run met: one that is the server's, if there is one, and not that of one key; empty if there is none. */
    String error() {
        return errors.stream()
                .filter(ServerErrors::isTrouble)
                .findFirst()
                .orElse(errors.isEmpty() ? "" : errors.get(0));
    }

    /** Whether a run met an error that is the server's and not that of one key: it is out of memory, say, or read-only. */
    boolean tellsOfTrouble() {
        return errors.stream().anyMatch(ServerErrors::isTrouble);
    }
}
