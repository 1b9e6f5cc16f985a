package io.github.ratelimit.content.fuzz;

import java.util.List;
import java.util.Random;

/** Choices that a seed decides, so that a run can be repeated. Not safe for concurrent use. */
final class Dice {

    private final Random random;

    Dice(long seed) {
        random = new Random(seed);
    }

    /** Returns a number from 0 to {@code bound - 1}. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    /** Is true in so many cases of a hundred. */
    boolean percent(int share) {
        return random.nextInt(100) < share;
    }

    <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    @SafeVarargs
    final <T> T oneOf(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }
}
