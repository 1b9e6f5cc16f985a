package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.text.Letters;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Takes values for what they spell: they come from JSON, forms and queries alike, and the latter two know only text. */
final class Spelling {
    // Possessive: a long run of digits is walked over once.
    private static final Pattern NUMERIC = Pattern.compile(
            "[ \\t\\n\\r]*+[+-]?+(?:[0-9]++(?:\\.[0-9]*+)?+|\\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+[ \\t\\n\\r]*+");
    private static final Pattern SEPARATORS = Pattern.compile("[,\\s]++");
    private static final int LONGEST_NUMBER = 64;
    private static final BigDecimal LEAST = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal GREATEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private Spelling() {}

    /** Reads a whole number; one beyond the range of ids is as good as the last id. */
    static Optional<Long> integer(JsonNode value) {
        return number(value)
                .filter(number -> number.stripTrailingZeros().scale() <= 0)
                .map(number -> number.max(LEAST).min(GREATEST).longValueExact());
    }

    static Optional<BigDecimal> number(JsonNode value) {
        if (!value.isNumber() && !value.isString()) {
            return Optional.empty();
        }
        String text = of(value);
        if (text.length() > LONGEST_NUMBER || !NUMERIC.matcher(text).matches()) {
            return Optional.empty();
        }
        try {
            BigDecimal number = new BigDecimal(text.strip());
            // 1e999999999 is short to write and endless to expand.
            return Math.abs((long) number.scale()) > LONGEST_NUMBER ? Optional.empty() : Optional.of(number);
        } catch (NumberFormatException e) {
            return Optional.empty(); // an exponent that Java has no number for
        }
    }

    static Optional<Boolean> bool(JsonNode value) {
        if (value.isBoolean()) {
            return Optional.of(value.booleanValue());
        }
        if (!value.isString() && !value.isIntegralNumber()) {
            return Optional.empty();
        }
        return switch (Letters.lower(of(value))) {
            case "true", "1" -> Optional.of(true);
            case "false", "0" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /** Splits a text at commas and white space, into at most so many words. */
    static List<String> words(String text, int most) {
        return SEPARATORS
                .splitAsStream(text)
                .filter(word -> !word.isEmpty())
                .limit(most)
                .toList();
    }

    /** Splits a single value, of which a flag is the number that spells it. */
    static List<String> words(JsonNode value, int most) {
        return words(value.isBoolean() ? (value.booleanValue() ? "1" : "") : of(value), most);
    }

    static boolean isScalar(JsonNode value) {
        return value.isString() || value.isNumber() || value.isBoolean();
    }

    static boolean isEmptyText(JsonNode value) {
        return value.isString() && value.stringValue().isEmpty();
    }

    private static String of(JsonNode value) {
        return value.isString() ? value.stringValue() : value.toString();
    }
}
