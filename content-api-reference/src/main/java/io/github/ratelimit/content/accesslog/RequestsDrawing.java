package io.github.ratelimit.content.accesslog;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** Draws requests over time: a bar for each stretch, what is served below and what is refused above. */
final class RequestsDrawing {

    static final int MOST_BARS = 120;

    private static final int WIDTH = 960;
    private static final int HEIGHT = 320;
    private static final int MARGIN = 48;
    private static final String SERVED = "#2a7";
    private static final String REFUSED = "#c33";

    /** A stretch of time. */
    record Bar(Instant start, long served, long refused) {}

    private RequestsDrawing() {}

    static String of(List<Bar> bars, long minutes) {
        long most = Math.max(
                1,
                bars.stream()
                        .mapToLong(bar -> bar.served() + bar.refused())
                        .max()
                        .orElse(1));
        double width = (double) (WIDTH - 2 * MARGIN) / bars.size();
        StringBuilder svg = new StringBuilder(
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\"".formatted(WIDTH, HEIGHT))
                .append(" font-family=\"sans-serif\" font-size=\"12\">\n")
                .append("<title>Requests over time: served, and refused</title>\n")
                .append("<rect width=\"%s\" height=\"%s\" fill=\"#fff\"/>\n".formatted(WIDTH, HEIGHT));
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            double served = height(bar.served(), most);
            double refused = height(bar.refused(), most);
            double x = MARGIN + i * width;
            svg.append("<g><title>%s: %s served, %s refused</title>\n"
                            .formatted(bar.start(), bar.served(), bar.refused()))
                    .append(rectangle(x, HEIGHT - MARGIN - served, width, served, SERVED))
                    .append(rectangle(x, HEIGHT - MARGIN - served - refused, width, refused, REFUSED))
                    .append("</g>\n");
        }
        int below = HEIGHT - MARGIN + 18;
        return svg.append("<text x=\"4\" y=\"%s\">%s</text>\n".formatted(MARGIN + 4, most))
                .append("<text x=\"%s\" y=\"%s\">%s</text>\n"
                        .formatted(MARGIN, below, bars.get(0).start()))
                .append("<text x=\"%s\" y=\"%s\" text-anchor=\"end\">%s</text>\n"
                        .formatted(
                                WIDTH - MARGIN, below, bars.get(bars.size() - 1).start()))
                .append(
                        "<text x=\"%s\" y=\"24\">Requests in %s min: <tspan fill=\"%s\">served</tspan>, <tspan fill=\"%s\">refused</tspan></text>\n"
                                .formatted(MARGIN, minutes, SERVED, REFUSED))
                .append("</svg>\n")
                .toString();
    }

    private static double height(long requests, long most) {
        return (HEIGHT - 2.0 * MARGIN) * requests / most;
    }

    private static String rectangle(double x, double y, double width, double height, String colour) {
        return String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n",
                x,
                y,
                width,
                height,
                colour);
    }
}
