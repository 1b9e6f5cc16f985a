package io.github.ratelimit.content.cms.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes of letters that grow with the window, where an author chose one size: large letters are smaller on a telephone.
 *
 * <p>Chosen: as on a site whose theme lets sizes grow, between windows of 320 and 1,340 pixels.
 */
final class FluidSizes {
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,4}(?:\\.[0-9]{1,4})?)(px|rem|em)");

    private static final double PIXELS_OF_EM = 16;
    private static final double NARROWEST = 320;
    private static final double WIDEST = 1_340;

    /** What is as small as this stays, and nothing becomes smaller. */
    private static final double SMALLEST = 14;

    private FluidSizes() {}

    /**
     * Lets the letters of an element grow.
     *
     * @param tag that begins it
     * @param size that its author chose
     * @return the tag with another style; the same where that says something else, or the size is no such one
     */
    static String apply(String tag, String size) {
        Optional<String> fluid = of(size);
        if (fluid.isEmpty()) {
            return tag;
        }
        Matcher style = Pattern.compile("font-size\\s*+:\\s*+" + Pattern.quote(size) + "\\s*+;?+")
                .matcher(tag);
        return style.find() ? style.replaceFirst(Matcher.quoteReplacement("font-size:" + fluid.get() + ";")) : tag;
    }

    private static Optional<String> of(String size) {
        Matcher parts = SIZE.matcher(size);
        if (!parts.matches()) {
            return Optional.empty();
        }
        String unit = parts.group(2);
        double pixels = unit.equals("px") ? 1 : PIXELS_OF_EM;
        double largest = Double.parseDouble(parts.group(1));
        if (largest * pixels <= SMALLEST) {
            return Optional.empty();
        }
        // The larger the letters, the more they shrink: by a quarter at least, by three quarters at most.
        double share = Math.max(0.25, Math.min(0.75, 1 - 0.075 * Math.log(largest * pixels) / Math.log(2)));
        double least = Math.max(SMALLEST / pixels, rounded(largest * share));
        double growth = rounded(100 * (largest - least) * pixels / (WIDEST - NARROWEST));
        return Optional.of("clamp(" + digits(least) + unit + ", " + digits(rounded(least * pixels / PIXELS_OF_EM))
                + "rem + ((1vw - " + digits(NARROWEST / 100 / pixels) + unit + ") * " + digits(growth) + "), "
                + parts.group(1) + unit + ")");
    }

    private static double rounded(double number) {
        return BigDecimal.valueOf(number).setScale(3, RoundingMode.HALF_UP).doubleValue();
    }

    private static String digits(double number) {
        return BigDecimal.valueOf(number)
                .setScale(3, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }
}
