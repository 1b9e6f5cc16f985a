package io.github.ratelimit.spring.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long a server asks not to be called, from the header fields of its answer. What cannot be read is as if it were not there.
 *
 * <p>{@code Retry-After} of a 429 or 503 comes first. Else, where nothing remains: {@code RateLimit} of the IETF's draft, {@code RateLimit-Reset} of its
 * earlier versions in seconds, {@code X-RateLimit-Reset} in seconds or as a moment of Unix time.
 */
final class ServerFields {

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** An item of {@code RateLimit}: a name in quotes or a token, and its parameters. */
    // Possessive: else each parameter takes some of the stack, and a server may send enough of them to empty it.
    private static final Pattern ITEM = Pattern.compile("(?:\"[^\"]*\"|[^,;\"]+)((?:\\s*;\\s*[a-z]+=[^,;]*)*+)");

    private static final Pattern PARAMETER = Pattern.compile(";\\s*([rt])=([0-9]+)");

    /** A reset that is larger is no number of seconds: thirty years. */
    private static final long LARGEST_SECONDS = 1_000_000_000L;

    private static final long LARGEST_EPOCH_SECONDS = 1_000_000_000_000L;
    private static final int MOST_DIGITS = 15;
    private static final long LARGEST = 999_999_999_999_999L; // also as milliseconds a moment that there is

    private ServerFields() {}

    /**
     * How long not to call.
     *
     * @param fields finds the first value of a header field by its name
     * @param now by the calendar, for fields that name a moment
     * @return positive; empty if the server does not ask for it
     */
    static Optional<Duration> wait(int status, Function<String, @Nullable String> fields, Instant now) {
        if (status == 429 || status == 503) {
            Duration asked = retryAfter(text(fields, "Retry-After"), now);
            if (asked != null) {
                return positive(asked);
            }
        }
        Duration longest = Duration.ZERO;
        for (Duration each : new Duration[] {
            ofDraft(text(fields, "RateLimit")),
            isNothing(text(fields, "RateLimit-Remaining")) ? seconds(text(fields, "RateLimit-Reset")) : Duration.ZERO,
            isNothing(text(fields, "X-RateLimit-Remaining"))
                    ? reset(text(fields, "X-RateLimit-Reset"), now)
                    : Duration.ZERO
        }) {
            longest = each.compareTo(longest) > 0 ? each : longest;
        }
        return positive(longest);
    }

    private static String text(Function<String, @Nullable String> fields, String name) {
        String value = fields.apply(name);
        return value == null ? "" : value.strip();
    }

    private static Optional<Duration> positive(Duration wait) {
        return wait.isZero() || wait.isNegative() ? Optional.empty() : Optional.of(wait);
    }

    /** Rule: RFC 9110 §10.2.3. Null if it cannot be read. */
    private static @Nullable Duration retryAfter(String value, Instant now) {
        if (NUMBER.matcher(value).matches()) {
            return seconds(value);
        }
        try {
            return Duration.between(
                    now,
                    ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** The longest of the items of which nothing remains. */
    private static Duration ofDraft(String value) {
        Duration longest = Duration.ZERO;
        Matcher item = ITEM.matcher(value);
        while (item.find()) {
            long remaining = -1;
            long reset = 0;
            Matcher parameter = PARAMETER.matcher(item.group(1));
            while (parameter.find()) {
                long number = number(parameter.group(2));
                if (parameter.group(1).equals("r")) {
                    remaining = number;
                } else {
                    reset = number;
                }
            }
            if (remaining == 0 && reset > longest.toSeconds()) {
                longest = Duration.ofSeconds(reset);
            }
        }
        return longest;
    }

    private static boolean isNothing(String remaining) {
        return remaining.equals("0");
    }

    private static Duration seconds(String value) {
        return NUMBER.matcher(value).matches() ? Duration.ofSeconds(number(value)) : Duration.ZERO;
    }

    /** What has more digits than can be counted with is as large as can be: somebody means forever. */
    private static long number(String digits) {
        return digits.length() <= MOST_DIGITS ? Long.parseLong(digits) : LARGEST;
    }

    private static Duration reset(String value, Instant now) {
        if (!NUMBER.matcher(value).matches()) {
            return Duration.ZERO;
        }
        long number = number(value);
        if (number <= LARGEST_SECONDS) {
            return Duration.ofSeconds(number);
        }
        Instant moment = number <= LARGEST_EPOCH_SECONDS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number);
        return Duration.between(now, moment);
    }
}
