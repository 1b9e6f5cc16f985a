package io.github.ratelimit.content.cms.text;

import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Addresses of this site's items that stand alone on a line or in a paragraph: readers see a frame with the item. */
final class OwnAddresses {

    /** The most addresses that are looked up for a text. Chosen: each costs a query. */
    private static final int MOST = 100;

    private static final String ADDRESS = "(https?://[^\\s<>\"]++)";

    /** Tags are found first, so that no address in one of them is. */
    private static final Pattern ALONE = Pattern.compile(
            "<p(?: [^<>]*+)?>\\s*+" + ADDRESS + "(?=\\s*+</p>)|<[^<>]*+>|^[ \\t]*+" + ADDRESS + "(?=[ \\t]*+$)",
            Pattern.MULTILINE | Pattern.CASE_INSENSITIVE);

    private static final SecureRandom RANDOM = new SecureRandom();

    private OwnAddresses() {}

    /**
     * Replaces the addresses.
     *
     * @param html blocks, or text with blank lines between its paragraphs
     * @param items finds what an address leads to
     * @return the same with frames
     */
    static String embedded(String html, KnownItems items) {
        Matcher alone = ALONE.matcher(html);
        StringBuilder shown = new StringBuilder(html.length());
        int copied = 0;
        for (int found = 0; found < MOST && alone.find(); ) {
            int group = alone.start(1) >= 0 ? 1 : 2;
            if (alone.start(group) >= 0) {
                found++;
                Optional<String> frame = items.shown(alone.group(group)).map(OwnAddresses::frame);
                if (frame.isPresent()) {
                    shown.append(html, copied, alone.start(group)).append(frame.get());
                    copied = alone.end(group);
                }
            }
        }
        return shown.append(html, copied, html.length()).toString();
    }

    /** A frame stays hidden until a script of the site's theme has heard from it, by the secret that both know. */
    private static String frame(KnownItems.Shown item) {
        String title = Markup.visibleText(item.title()).strip();
        String page = Markup.encoded(item.page());
        String secret = Long.toString(RANDOM.nextLong(Long.MAX_VALUE), Character.MAX_RADIX);
        return """
                <blockquote class="wp-embedded-content" data-secret="%1$s"><a href="%2$s">%3$s</a></blockquote>\
                <iframe loading="lazy" class="wp-embedded-content" sandbox="allow-scripts" security="restricted" \
                style="position: absolute; visibility: hidden;" title="\u201c%4$s\u201d \u2014 %5$s" \
                src="%2$s&amp;embed=true#?secret=%1$s#?secret=%1$s" data-secret="%1$s" width="500" height="282" \
                frameborder="0" marginwidth="0" marginheight="0" scrolling="no"></iframe>""".formatted(secret, page, title, title.replace("\"", "&quot;"), Markup.encoded(item.site()));
    }
}
