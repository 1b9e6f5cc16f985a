package io.github.ratelimit.content.text;

/** Excerpts that nobody wrote. */
final class Excerpts {
    private Excerpts() {}

    static String of(String content, int words) {
        return Markup.visibleText(content);
    }
}
