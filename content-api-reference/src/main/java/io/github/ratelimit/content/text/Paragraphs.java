package io.github.ratelimit.content.text;

/** Paragraphs for text that has blank lines instead. */
final class Paragraphs {
    private Paragraphs() {}

    static String of(String html) {
        return html.isBlank() ? "" : html.strip() + "\n";
    }
}
