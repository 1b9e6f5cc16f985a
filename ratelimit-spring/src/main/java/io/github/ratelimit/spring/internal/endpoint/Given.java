package io.github.ratelimit.spring.internal.endpoint;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Values in a request to the endpoint; a wrong one is an {@link IllegalArgumentException} that tells what is allowed. */
final class Given {

    private Given() {}

    static @Nullable Boolean flag(String name, @Nullable Object value) {
        return value == null ? null : read(name, value, "true or false", Given::flag);
    }

    private static Boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(text);
        }
        return Boolean.valueOf(text);
    }

    static @Nullable Long number(String name, @Nullable Object value) {
        return value == null ? null : read(name, value, "a whole number, such as 1000", Long::valueOf);
    }

    /** A number is seconds, as in properties. */
    static Duration duration(String name, @Nullable Object value) {
        return read(
                name,
                value,
                "seconds, or a number with a unit, such as 90s, 15m, 1h or 7d",
                text -> DurationStyle.detectAndParse(text, ChronoUnit.SECONDS));
    }

    private static <T> T read(String name, @Nullable Object value, String allowed, Function<String, T> reader) {
        try {
            return reader.apply(String.valueOf(value));
        } catch (IllegalArgumentException | ArithmeticException e) {
            String was = value == null ? "null" : "'" + value + "'";
            throw new IllegalArgumentException("%s must be %s, was %s".formatted(name, allowed, was), e);
        }
    }
}
