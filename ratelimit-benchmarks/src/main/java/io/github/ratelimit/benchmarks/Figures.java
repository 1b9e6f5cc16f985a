package io.github.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures of one thing that was measured several times. Used by one thread. */
final class Figures {

    private final List<Double> sorted = new ArrayList<>();

    void add(double figure) {
        int at = 0;
        while (at < sorted.size() && sorted.get(at) < figure) {
            at++;
        }
        sorted.add(at, figure);
    }

    boolean isEmpty() {
        return sorted.isEmpty();
    }

    double median() {
        return quantile(0.5);
    }

    /** Between the two figures beside it where it falls between them. */
    double quantile(double share) {
        double place = share * (sorted.size() - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.size() - 1);
        return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
    }

    /** Median and quartiles. */
    String text(String format) {
        return String.format(
                Locale.ROOT, format + " [" + format + " – " + format + "]", median(), quantile(0.25), quantile(0.75));
    }
}
