package io.github.ratelimit.http.client;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads how long a server asks not to be called, from the header fields of its answer. Unreadable fields are ignored.
 *
 * <p>{@code Retry-After} of a 403, 413, 429 or 503, and {@code Retry-After-Ms}, come first. Else, where nothing remains: {@code RateLimit} of the
 * IETF's draft in both of its forms, {@code RateLimit-Reset} of its earliest versions, {@code X-RateLimit-Reset} and {@code X-Rate-Limit-Reset},
 * in seconds, as {@code 6m0s}, or as a moment of Unix time or of RFC 3339; {@code -Reset-After} of these names comes before {@code -Reset}.
 */
final class ServerFields {

    private static final Pattern SECONDS = Pattern.compile("([0-9]+)(?:\\.([0-9]*))?");

    /** An item of {@code RateLimit}: a name in quotes or a token, and its parameters. */
    // Possessive: else each parameter takes some of the stack, and a server may send enough of them to empty it.
    private static final Pattern ITEM = Pattern.compile("(?:\"[^\"]*\"|[^,;\"]+)((?:\\s*;\\s*[a-z]+=[^,;]*)*+)");

    private static final Pattern PARAMETER = Pattern.compile(";\\s*([rt])=([0-9]+)");

    /** {@code limit=100, remaining=0, reset=50}. */
    private static final Pattern MEMBER = Pattern.compile("(?:^|[,\\s])(remaining|reset)=([0-9]+)");

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
        Optional<Duration> asked = status == 429 || status == 503 || status == 403 || status == 413
                ? retryAfter(fields, now)
                : Optional.empty();
        return asked.or(() -> Stream.of(
                                ofDraft(text(fields, "RateLimit")),
                                ofReset("RateLimit", fields, now),
                                ofReset("X-RateLimit", fields, now),
                                ofReset("X-Rate-Limit", fields, now))
                        .max(Comparator.naturalOrder()))
                .filter(wait -> wait.compareTo(Duration.ZERO) > 0);
    }

    private static String text(Function<String, @Nullable String> fields, String name) {
        String value = fields.apply(name);
        return value == null ? "" : value.strip();
    }

    /** Rule: RFC 9110 §10.2.3. Empty if it cannot be read. */
    private static Optional<Duration> retryAfter(Function<String, @Nullable String> fields, Instant now) {
        long millis = secondsUp(text(fields, "Retry-After-Ms"));
        if (millis >= 0) {
            return Optional.of(Duration.ofMillis(millis));
        }
        String value = text(fields, "Retry-After");
        long seconds = secondsUp(value);
        if (seconds >= 0) {
            return Optional.of(Duration.ofSeconds(seconds));
        }
        try {
            Instant moment = DateTimeFormatter.RFC_1123_DATE_TIME.parse(value, Instant::from);
            return Optional.of(Duration.between(now, moment));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** The longest of the items of which nothing remains, or the reset of the form that has no items. */
    private static Duration ofDraft(String value) {
        Map<String, Long> members = new HashMap<>();
        MEMBER.matcher(value).results().forEach(each -> members.put(each.group(1), number(each.group(2))));
        long longest = members.getOrDefault("remaining", -1L) == 0 ? members.getOrDefault("reset", 0L) : 0;
        Matcher item = ITEM.matcher(value);
        while (item.find()) {
            Map<String, Long> parameters = new HashMap<>();
            PARAMETER
                    .matcher(item.group(1))
                    .results()
                    .forEach(each -> parameters.put(each.group(1), number(each.group(2))));
            boolean isSpent = parameters.getOrDefault("r", -1L) == 0;
            longest = Math.max(longest, isSpent ? parameters.getOrDefault("t", 0L) : 0);
        }
        return Duration.ofSeconds(longest);
    }

    private static Duration ofReset(String prefix, Function<String, @Nullable String> fields, Instant now) {
        if (!text(fields, prefix + "-Remaining").matches("0+")) {
            return Duration.ZERO;
        }
        String after = text(fields, prefix + "-Reset-After");
        String reset = after.isEmpty() ? text(fields, prefix + "-Reset") : after;
        long number = secondsUp(reset);
        if (number < 0) {
            return inWords(reset, now);
        }
        if (number <= LARGEST_SECONDS) {
            return Duration.ofSeconds(number);
        }
        Instant moment = number <= LARGEST_EPOCH_SECONDS ? Instant.ofEpochSecond(number) : Instant.ofEpochMilli(number);
        return Duration.between(now, moment);
    }

    /** {@code 6m0s}, or a moment of RFC 3339; zero if it is neither. */
    private static Duration inWords(String reset, Instant now) {
        try {
            return reset.endsWith("s") ? Duration.parse("PT" + reset) : Duration.between(now, Instant.parse(reset));
        } catch (DateTimeException e) {
            return Duration.ZERO;
        }
    }

    /** Some servers send parts of a second as well, which are rounded up. Negative if it is no number. */
    private static long secondsUp(String value) {
        Matcher seconds = SECONDS.matcher(value);
        if (!seconds.matches()) {
            return -1;
        }
        boolean isWhole = seconds.group(2) == null || seconds.group(2).matches("0*");
        return number(seconds.group(1)) + (isWhole ? 0 : 1);
    }

    /** What has more digits than can be counted with is as large as can be: somebody means forever. */
    private static long number(String digits) {
        return digits.length() <= MOST_DIGITS ? Long.parseLong(digits) : LARGEST;
    }
}
