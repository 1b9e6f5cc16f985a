package io.github.ratelimit.content.text;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.owasp.html.HtmlPolicyBuilder;
import org.owasp.html.HtmlSanitizer;
import org.owasp.html.HtmlStreamEventReceiver;
import org.owasp.html.PolicyFactory;

/**
 * HTML of callers who may not write whatever they like: scripts, event attributes, styles, frames and addresses that run
 * code go away, their texts stay.
 *
 * <p>Nothing passes as it came: the result is put together from escaped text, from tags that the policy lists, each with
 * the attributes that it lists, and from the comments that part blocks. Elements whose insides a browser would read as
 * something else than HTML are not listed, so text is text wherever it stands. Space and character references stay as
 * they were typed.
 */
public final class HtmlPolicy {
    /** Elements that have no end. */
    private static final Set<String> EMPTY = Set.of("br", "col", "hr", "img", "source", "track");

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}%?");
    private static final Pattern WORDS = Pattern.compile("[\\p{L}\\p{N}\\s._:/-]{0,500}");

    private static final Set<String> TITLE_ELEMENTS = Set.of(
            "abbr", "b", "bdi", "bdo", "br", "cite", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "small",
            "span", "strike", "strong", "sub", "sup");

    private static final Set<String> CONTENT_ELEMENTS = Set.of(
            "a",
            "abbr",
            "acronym",
            "address",
            "article",
            "aside",
            "audio",
            "b",
            "bdi",
            "bdo",
            "big",
            "blockquote",
            "br",
            "caption",
            "center",
            "cite",
            "code",
            "col",
            "colgroup",
            "dd",
            "del",
            "details",
            "dfn",
            "div",
            "dl",
            "dt",
            "em",
            "figcaption",
            "figure",
            "font",
            "footer",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hgroup",
            "hr",
            "i",
            "img",
            "ins",
            "kbd",
            "li",
            "main",
            "mark",
            "nav",
            "ol",
            "p",
            "pre",
            "q",
            "rp",
            "rt",
            "ruby",
            "s",
            "samp",
            "section",
            "small",
            "source",
            "span",
            "strike",
            "strong",
            "sub",
            "summary",
            "sup",
            "table",
            "tbody",
            "td",
            "tfoot",
            "th",
            "thead",
            "time",
            "tr",
            "track",
            "tt",
            "u",
            "ul",
            "var",
            "video");

    private static final PolicyFactory TITLE = new HtmlPolicyBuilder()
            .allowElements(TITLE_ELEMENTS.toArray(String[]::new))
            .allowAttributes("title")
            .onElements("abbr")
            .allowWithoutAttributes("span")
            .toFactory();

    private static final PolicyFactory CONTENT = new HtmlPolicyBuilder()
            .allowElements(CONTENT_ELEMENTS.toArray(String[]::new))
            .allowWithoutAttributes("a", "font", "img", "span")
            .allowStandardUrlProtocols()
            .allowAttributes("title", "aria-label")
            .globally()
            .allowAttributes("class", "id", "lang", "role", "aria-labelledby", "aria-describedby")
            .matching(WORDS)
            .globally()
            .allowAttributes("dir")
            .matching(false, "ltr", "rtl", "auto")
            .globally()
            .allowAttributes("hidden", "aria-hidden")
            .matching(false, "", "hidden", "true", "false")
            .globally()
            .allowAttributes("href")
            .onElements("a")
            .allowAttributes("rel", "name", "hreflang", "type")
            .matching(WORDS)
            .onElements("a")
            .allowAttributes("target")
            .matching(false, "_blank", "_self", "_top")
            .onElements("a")
            .allowAttributes("src")
            .onElements("img", "audio", "video", "source", "track")
            .allowAttributes("poster")
            .onElements("video")
            .allowAttributes("alt", "sizes", "decoding", "loading", "srclang", "label", "kind", "preload", "media")
            .onElements("img", "audio", "video", "source", "track")
            .allowAttributes("width", "height", "border", "hspace", "vspace", "colspan", "rowspan", "span")
            .matching(NUMBER)
            .onElements("img", "video", "table", "col", "colgroup", "td", "th", "hr")
            .allowAttributes("controls", "loop", "muted", "playsinline")
            .matching(false, "", "controls", "loop", "muted", "playsinline", "true", "false")
            .onElements("audio", "video")
            .allowAttributes("align", "valign", "scope", "headers", "abbr", "axis")
            .matching(WORDS)
            .globally()
            .allowAttributes("cite")
            .onElements("blockquote", "del", "ins", "q")
            .allowAttributes("datetime")
            .onElements("del", "ins", "time")
            .allowAttributes("start", "value", "type", "reversed")
            .matching(WORDS)
            .onElements("ol", "ul", "li")
            .allowAttributes("open")
            .matching(false, "", "open", "true")
            .onElements("details")
            .allowAttributes("color", "face", "size")
            .matching(Pattern.compile("[#\\p{L}\\p{N} ,-]{0,100}"))
            .onElements("font")
            .toFactory();

    private static final Pattern BLOCK_COMMENT = Pattern.compile(
            "<!-- /?wp:[a-z][a-z0-9_-]*+(?:/[a-z][a-z0-9_-]*+)?+ (?:\\{[^<>]*\\} )?+/?-->|<!--(?:more|nextpage)-->");

    private HtmlPolicy() {}

    /**
     * Leaves of a content, an excerpt, a caption or a description what cannot harm its readers.
     *
     * @param html what a caller sent
     * @return the allowed part, block comments included
     */
    public static String cleanContent(String html) {
        return clean(html, CONTENT, CONTENT_ELEMENTS, true);
    }

    /**
     * Leaves of a title what cannot harm its readers.
     *
     * @param html what a caller sent
     * @return text and a few tags that a title may hold
     */
    public static String cleanTitle(String html) {
        return clean(html, TITLE, TITLE_ELEMENTS, false);
    }

    private static String clean(String html, PolicyFactory tags, Set<String> elements, boolean blocks) {
        String plain = Placeholders.removeFrom(html);
        if (plain.indexOf('<') < 0 && plain.indexOf('>') < 0 && plain.indexOf('&') < 0) {
            return plain;
        }
        StringBuilder clean = new StringBuilder(plain.length());
        HtmlSanitizer.Policy policy = tags.apply(new TagWriter(clean));
        for (String token : Markup.tokens(plain)) {
            if (token.startsWith("<!--")) {
                clean.append(blocks && isBlockComment(token) ? token : "");
            } else if (!Markup.isTag(token) || !token.endsWith(">")) {
                TagWriter.escape(token, clean);
            } else if (token.startsWith("</")) {
                String name = Markup.name(token);
                if (elements.contains(name) && !EMPTY.contains(name)) {
                    clean.append("</").append(name).append('>');
                }
            } else {
                policy.openTag(Markup.name(token), Markup.attributes(token));
            }
        }
        return clean.toString();
    }

    /** Is strict, so that nothing in a comment can end it early. */
    private static boolean isBlockComment(String comment) {
        return BLOCK_COMMENT.matcher(comment).matches() && comment.indexOf("--", 4) == comment.length() - 3;
    }

    /** Writes the tags that the policy lets through. */
    private static final class TagWriter implements HtmlStreamEventReceiver {
        private static final Pattern BARE_AMPERSAND =
                Pattern.compile("&(?!#(?:\\d{1,8}|[xX][a-fA-F0-9]{1,6});|[a-zA-Z][a-zA-Z0-9]{1,31};)");

        private final StringBuilder html;

        TagWriter(StringBuilder html) {
            this.html = html;
        }

        /** Escapes text; what is a character reference already stays one. */
        static void escape(String text, StringBuilder html) {
            html.append(BARE_AMPERSAND
                    .matcher(text)
                    .replaceAll("&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;"));
        }

        @Override
        public void openTag(String name, List<String> attributes) {
            html.append('<').append(name);
            for (int at = 0; at + 1 < attributes.size(); at += 2) {
                html.append(' ').append(attributes.get(at)).append("=\"");
                html.append(attributes
                        .get(at + 1)
                        .replace("&", "&amp;")
                        .replace("<", "&lt;")
                        .replace(">", "&gt;")
                        .replace("\"", "&quot;"));
                html.append('"');
            }
            html.append(EMPTY.contains(name) ? " />" : ">");
        }

        @Override
        public void closeTag(String name) {
            throw new IllegalStateException("closing tags are written without asking the policy");
        }

        @Override
        public void text(String text) {
            throw new IllegalStateException("text is written without asking the policy");
        }

        @Override
        public void openDocument() {}

        @Override
        public void closeDocument() {}
    }
}
