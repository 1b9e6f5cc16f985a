package io.github.ratelimit.spring.boot;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * More than nothing and at most all: {@code part} of {@code of}.
 *
 * @param part 1 or more
 * @param of the whole; {@code part} or more
 */
record Share(int part, int of) {

    private static final Pattern FRACTION = Pattern.compile("(\\d{1,9})\\s*/\\s*(\\d{1,9})");
    private static final Pattern NUMBER = Pattern.compile("\\d(\\.\\d{1,9})?");
    private static final int BILLION = 1_000_000_000;

    /**
     * Reads a number such as {@code 0.25}, with nine decimal places at most, or a fraction such as {@code 1/4}.
     *
     * @throws IllegalArgumentException if it is neither, or out of range
     */
    static Share parse(String text) {
        String share = text.strip();
        Matcher fraction = FRACTION.matcher(share);
        long part = 0;
        long of = 1;
        if (fraction.matches()) {
            part = Long.parseLong(fraction.group(1));
            of = Long.parseLong(fraction.group(2));
        } else if (NUMBER.matcher(share).matches()) {
            part = new BigDecimal(share).scaleByPowerOfTen(9).longValueExact();
            of = BILLION;
        }
        if (part < 1 || part > of) {
            throw new IllegalArgumentException(
                    "must be more than 0 and at most 1, a number such as 0.25 or a fraction such as 1/4, was '%s'"
                            .formatted(text));
        }
        return new Share((int) part, (int) of);
    }
}
