package io.github.ratelimit.content.server.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;

/**
 * The {@code link} elements of a stranger's page, read tag by tag: a tree of a page of a megabyte may take a hundred, and a second to build.
 * Comments and scripts are passed over. Safe for concurrent use.
 */
public final class LinkTags {
    /** Chosen: ten times as many as any page has. */
    private static final int MOST = 1000;

    /** Characters of one tag. Chosen: two addresses of the longest kind. */
    private static final int LONGEST = 4096;

    private LinkTags() {}

    /**
     * Finds the elements.
     *
     * @param page HTML, however malformed
     * @return in the order of the page; at most 1000
     */
    public static List<Element> of(String page) {
        List<Element> found = new ArrayList<>();
        int looked = 0;
        int at = page.indexOf('<');
        while (at >= 0 && looked < MOST) {
            int next = at + 1;
            if (page.startsWith("!--", next)) {
                next = page.indexOf("-->", next);
            } else if (isNamed(page, next, "script")) {
                next = endOfScript(page, next);
            } else if (isNamed(page, next, "link")) {
                looked++;
                tag(page, at).ifPresent(found::add);
            }
            at = next < 0 ? -1 : page.indexOf('<', next);
        }
        return found;
    }

    private static boolean isNamed(String page, int at, String name) {
        int end = at + name.length();
        return page.regionMatches(true, at, name, 0, name.length())
                && end < page.length()
                && (page.charAt(end) == '/' || page.charAt(end) == '>' || Character.isWhitespace(page.charAt(end)));
    }

    private static int endOfScript(String page, int from) {
        int at = page.indexOf("</", from);
        while (at >= 0 && !isNamed(page, at + 2, "script")) {
            at = page.indexOf("</", at + 2);
        }
        return at;
    }

    /** Reads one tag, which ends at the first bracket that is in no quotes. */
    private static Optional<Element> tag(String page, int from) {
        int most = Math.min(page.length(), from + LONGEST);
        char quote = 0;
        for (int at = from; at < most; at++) {
            char next = page.charAt(at);
            if (quote != 0) {
                quote = next == quote ? 0 : quote;
            } else if (next == '"' || next == '\'') {
                quote = next;
            } else if (next == '>') {
                String tag = page.substring(from, at + 1);
                return Optional.ofNullable(Jsoup.parse(tag).selectFirst("link"));
            }
        }
        return Optional.empty();
    }
}
