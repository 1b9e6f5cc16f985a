package io.github.ratelimit.docs;

import java.util.Locale;

/** A picture as text: SVG that reads the same in a light page and in a dark one, and says to a screen reader what it shows. */
final class Picture {

    static final String INK = "#223";
    static final String GOOD = "#2a7";
    static final String BAD = "#c33";
    static final String CALM = "#e6edf5";
    static final String LINE = "#36a";

    private final StringBuilder svg = new StringBuilder();

    Picture(int width, int height, String title) {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" role=\"img\" font-family=\"sans-serif\" font-size=\"14\">"
                        .formatted(width, height));
        add("<title>%s</title>".formatted(title));
        add(
                "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">");
        add("<path d=\"M0,0 L8,4 L0,8 z\" fill=\"%s\"/></marker></defs>".formatted(INK));
        add("<rect width=\"%s\" height=\"%s\" rx=\"6\" fill=\"#fff\"/>".formatted(width, height));
    }

    private Picture() {}

    /** What is drawn later {@link #add(Picture) above} something else. */
    Picture layer() {
        return new Picture();
    }

    Picture add(Picture layer) {
        svg.append(layer.svg);
        return this;
    }

    /** The same wherever it is drawn. */
    static String number(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    Picture text(double x, double y, String text) {
        return add("<text x=\"%s\" y=\"%s\" fill=\"%s\">%s</text>".formatted(number(x), number(y), INK, text));
    }

    Picture middle(double x, double y, String text) {
        return add("<text x=\"%s\" y=\"%s\" fill=\"%s\" text-anchor=\"middle\">%s</text>"
                .formatted(number(x), number(y), INK, text));
    }

    /** A box with up to a few lines of text in its middle. */
    Picture box(double x, double y, double width, double height, String... lines) {
        area(x, y, width, height, CALM);
        double first = y + height / 2 + 5 - (lines.length - 1) * 9;
        for (int i = 0; i < lines.length; i++) {
            middle(x + width / 2, first + i * 18, lines[i]);
        }
        return this;
    }

    Picture area(double x, double y, double width, double height, String colour) {
        return add("<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"4\" fill=\"%s\"/>"
                .formatted(number(x), number(y), number(width), number(height), colour));
    }

    Picture arrow(double x1, double y1, double x2, double y2) {
        return stroke(x1, y1, x2, y2, INK + "\" marker-end=\"url(#tip)");
    }

    Picture line(double x1, double y1, double x2, double y2) {
        return stroke(x1, y1, x2, y2, INK);
    }

    private Picture stroke(double x1, double y1, double x2, double y2, String stroke) {
        return add("<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"/>"
                .formatted(number(x1), number(y1), number(x2), number(y2), stroke));
    }

    Picture dot(double x, double y, String colour) {
        return add("<circle cx=\"%s\" cy=\"%s\" r=\"6\" fill=\"%s\"/>".formatted(number(x), number(y), colour));
    }

    /** Points as {@code x,y x,y …}. */
    Picture curve(String points, String colour) {
        return add("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>"
                .formatted(colour, points.strip()));
    }

    private Picture add(String element) {
        svg.append(element).append('\n');
        return this;
    }

    @Override
    public String toString() {
        return svg + "</svg>\n";
    }
}
