package io.github.ratelimit.http;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.LimiterSpec;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;

/**
 * The outcomes of requests that a limiter counts, by the status of the answer.
 *
 * <p>Each request takes its permits at first, so that parallel requests cannot exceed the limit. If its outcome does not count, they are given
 * back at its end. Immutable and safe for concurrent use.
 *
 * @param statuses {@code failures} (400 and above), {@code successes} (below 400), a status such as {@code 401}, or a hundred such as {@code
 *     5xx}; one that fits is enough; with {@code !}, such as {@code !304}, it does not count; without another one, all others count
 */
public record Outcomes(List<String> statuses) implements IntPredicate {

    /** Every outcome counts. */
    public static final Outcomes ALL = new Outcomes(List.of());

    private static final Pattern STATUS = Pattern.compile("!?(failures|successes|[1-5](xx|\\d\\d))");

    /**
     * Checks and copies the parts; letter case and surrounding blanks do not matter.
     *
     * @throws IllegalArgumentException if one of them is neither a word nor a status
     */
    public Outcomes {
        statuses = requireNonNull(statuses, "statuses").stream()
                .map(text -> text.strip().toLowerCase(Locale.ROOT))
                .toList();
        for (String text : statuses) {
            if (!STATUS.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        "'%s' is no outcome; write failures, successes, a status such as 401 or 5xx, or !304 for all others"
                                .formatted(text));
            }
        }
    }

    /**
     * Makes outcomes of words and statuses.
     *
     * @throws IllegalArgumentException if one of them is neither
     */
    public static Outcomes of(String... statuses) {
        return new Outcomes(List.of(statuses));
    }

    /** Whether a limiter counts every outcome. */
    public static boolean countsAll(LimiterSpec<?> spec) {
        return spec.count() == LimiterSpec.EVERY_OUTCOME || spec.count().equals(ALL);
    }

    /** The outcomes that a limiter counts, as they are written; empty if it counts every one. */
    public static String text(LimiterSpec<?> spec) {
        return countsAll(spec) ? "" : spec.count().toString();
    }

    /** Whether requests with this status count. */
    @Override
    public boolean test(int status) {
        boolean counts = statuses.stream().allMatch(text -> text.startsWith("!"));
        for (String text : statuses) {
            if (text.startsWith("!") && includes(text.substring(1), status)) {
                return false;
            }
            counts |= !text.startsWith("!") && includes(text, status);
        }
        return counts;
    }

    private static boolean includes(String text, int status) {
        return switch (text) {
            case "failures" -> status >= 400;
            case "successes" -> status < 400;
            default -> text.endsWith("xx") ? text.charAt(0) - '0' == status / 100 : Integer.parseInt(text) == status;
        };
    }

    /** As they are written: {@code 401, 5xx}. */
    @Override
    public String toString() {
        return String.join(", ", statuses);
    }
}
