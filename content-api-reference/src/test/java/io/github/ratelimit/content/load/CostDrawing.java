package io.github.ratelimit.content.load;

import java.util.Locale;
import java.util.Map;
import org.springframework.web.util.HtmlUtils;

/** Draws costs against sizes, both by powers of ten: what is linear rises by one step for each step. */
final class CostDrawing {
    private static final int WIDTH = 900;
    private static final int HEIGHT = 600;
    private static final int MARGIN = 60;

    private CostDrawing() {}

    /**
     * Draws.
     *
     * @param series milliseconds by size in bytes, by name; the name shows where the pointer rests on a line
     * @param bound in milliseconds, drawn as a line of its own
     * @return SVG
     */
    static String of(Map<String, Map<Integer, Double>> series, double bound) {
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n",
                WIDTH,
                HEIGHT));
        for (int power = 3; power <= 6; power++) {
            double x = x(Math.pow(10, power));
            svg.append(String.format(
                    Locale.ROOT, "<text x=\"%.0f\" y=\"%d\">10^%d bytes</text>%n", x, HEIGHT - 20, power));
        }
        for (int power = -1; power <= 3; power++) {
            svg.append(String.format(
                    Locale.ROOT,
                    "<text x=\"4\" y=\"%.0f\">%s ms</text>%n",
                    y(Math.pow(10, power)),
                    power < 0 ? "0.1" : "" + (int) Math.pow(10, power)));
        }
        svg.append(String.format(
                Locale.ROOT,
                "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"red\"/>%n",
                MARGIN,
                WIDTH,
                y(bound),
                y(bound)));
        series.forEach((name, points) -> {
            StringBuilder path = new StringBuilder();
            points.forEach((size, millis) -> path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(size), y(millis))));
            svg.append("<polyline fill=\"none\" stroke=\"#246\" stroke-opacity=\"0.5\" points=\"")
                    .append(path.toString().strip())
                    .append("\"><title>")
                    .append(HtmlUtils.htmlEscape(name))
                    .append("</title></polyline>\n");
        });
        return svg.append("</svg>\n").toString();
    }

    private static double x(double size) {
        return MARGIN + (Math.log10(Math.max(size, 1000)) - 3) / 3.1 * (WIDTH - MARGIN);
    }

    private static double y(double millis) {
        double place = (Math.log10(Math.max(millis, 0.1)) + 1) / 4.5;
        return HEIGHT - MARGIN - place * (HEIGHT - 2 * MARGIN);
    }
}
