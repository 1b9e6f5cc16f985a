package io.github.ratelimit.content.cms.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names in square brackets that stand for something: {@code [caption …]…[/caption]}. Twice bracketed they are text;
 * names that nobody knows are, too.
 *
 * <p>Only what stands between tags counts: brackets inside a tag are left alone, so no attribute can be ended by one.
 */
final class Shortcodes {
    /** Chosen: nobody writes so many into a text, and each of them takes a thousand times its length. Those behind them are text. */
    static final int MOST = 1_000;

    private static final List<String> KNOWN =
            List.of("wp_caption", "caption", "gallery", "playlist", "audio", "video", "embed");
    private static final String NAMES = String.join("|", KNOWN);
    /** With which all of them begin. */
    private static final String INITIALS = "wcgpave";

    /** One end of a shortcode, as it stands in a text. */
    static final Pattern DELIMITER = Pattern.compile("\\[\\[?/?(?:" + NAMES + ")(?=[\\s\\]/])[^\\[\\]<>]*+\\]\\]?");

    private static final Pattern OPENING = Pattern.compile("\\[(\\[?)(" + NAMES + ")(?![\\w-])([^\\[\\]]*+)\\]");
    private static final String PARAGRAPH = "<p>";
    private static final String SPACE = "&nbsp;";

    private static final Pattern ATTRIBUTE =
            Pattern.compile("([\\w-]++)\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s'\"]++))(?:\\s|$)");
    private static final Pattern PICTURE = Pattern.compile(
            "((?:<a [^>]++>\\s*+)?<img [^>]++>(?:\\s*+</a>)?)(.*)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    private static final Pattern NO_CLASS = Pattern.compile("[^A-Za-z0-9_-]+");
    private static final Pattern ADDRESS = Pattern.compile("https?://\\S+", Pattern.CASE_INSENSITIVE);

    private static final Pattern ON_A_LINE = Pattern.compile(
            "^([ \\t]*+)(https?://[^\\s<>\"]++)([ \\t\\r]*+)$",
            Pattern.CASE_INSENSITIVE | Pattern.MULTILINE | Pattern.UNIX_LINES);
    private static final Pattern IN_A_PARAGRAPH =
            Pattern.compile("(<p(?: [^<>]*+)?+>\\s*+)(https?://[^\\s<>\"]++)(\\s*+</p>)", Pattern.CASE_INSENSITIVE);

    private Shortcodes() {}

    /** What makes elements that have numbers. */
    private record Makers(Players players, Galleries galleries, AtomicInteger left) {}

    /** A shortcode that was found. */
    private record Found(
            String name, Map<String, String> attributes, String content, boolean hasContent, String whole) {}

    /**
     * Tells whether there may be any.
     *
     * @param text any
     * @return false if there is surely none
     */
    static boolean mayHold(String text) {
        for (int at = text.indexOf('['); at >= 0; at = text.indexOf('[', at + 1)) {
            if (isName(text, text.startsWith("/", at + 1) ? at + 2 : at + 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isName(String text, int at) {
        if (at < text.length() && INITIALS.indexOf(text.charAt(at)) >= 0) {
            for (String name : KNOWN) {
                if (text.startsWith(name, at)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Takes paragraphs away around what is nothing but a shortcode.
     *
     * @param html with paragraphs
     * @return the same, changed only there
     */
    static String withoutParagraphs(String html) {
        return mayHold(html) && html.contains("<p>") ? new Walk(html, found -> found.whole(), true).all() : html;
    }

    /**
     * Puts what they stand for in the place of shortcodes.
     *
     * @param html rendered otherwise
     * @param images tells about uploaded pictures
     * @return rendered
     */
    static String render(String html, KnownImages images) {
        return mayHold(html)
                ? render(
                        html, new Makers(new Players(), new Galleries(images, pictures(html)), new AtomicInteger(MOST)))
                : html;
    }

    private static String render(String html, Makers makers) {
        return new Walk(html, found -> rendered(found, makers), false, makers.left()).all();
    }

    /** Lists the pictures that the galleries of a text name, so that they are found at once. */
    private static Set<Long> pictures(String html) {
        Set<Long> ids = new HashSet<>();
        if (html.contains("[gallery")) {
            Matcher opening = OPENING.matcher(html);
            while (ids.size() < Galleries.MOST_PICTURES && opening.find()) {
                if (opening.group(2).equals("gallery")) {
                    ids.addAll(Galleries.wished(attributes(opening.group(3))));
                }
            }
        }
        return ids;
    }

    /**
     * Leaves shortcodes out, with what they enclose.
     *
     * @param html any
     * @return the rest
     */
    static String remove(String html) {
        return mayHold(html) ? new Walk(html, found -> "", false).all() : html;
    }

    /**
     * Puts links in the place of addresses that are to be embedded, and players where a sound or film stands alone; done before
     * anything else, so that they stand in paragraphs.
     *
     * @param raw as written
     * @return the same with links and shortcodes
     */
    static String withEmbeds(String raw) {
        String linked = raw.contains("[embed")
                ? new Walk(raw, Shortcodes::embed, false).only("embed").all()
                : raw;
        if (!linked.contains("://")) {
            return linked;
        }
        AtomicInteger left = new AtomicInteger(MOST);
        String played = ON_A_LINE.matcher(linked).replaceAll(found -> Matcher.quoteReplacement(player(found, left)));
        return IN_A_PARAGRAPH.matcher(played).replaceAll(found -> Matcher.quoteReplacement(player(found, left)));
    }

    private static String player(MatchResult found, AtomicInteger left) {
        String address = found.group(2).replace("&amp;", "&");
        String kind = Players.kind(address);
        if (!kind.isEmpty() && left.getAndDecrement() <= 0) {
            return found.group();
        }
        return found.group(1)
                + (kind.isEmpty() ? address : "[" + kind + " src=\"" + Players.address(address) + "\" /]")
                + found.group(3);
    }

    private static String rendered(Found found, Makers makers) {
        Players players = makers.players();
        return switch (found.name()) {
            case "caption", "wp_caption" -> caption(found, makers);
            case "gallery" -> makers.galleries().gallery(found.attributes());
            case "audio" -> players.sound(found.attributes());
            case "video" -> players.film(found.attributes(), found.content());
            case "playlist" -> "";
            default -> found.whole();
        };
    }

    private static String embed(Found found) {
        String address =
                (found.hasContent() ? found.content() : found.attributes().getOrDefault("src", "")).strip();
        if (!Players.kind(address).isEmpty() && ADDRESS.matcher(address).matches()) {
            return "[" + Players.kind(address) + " src=\"" + Players.address(address) + "\"]";
        }
        return ADDRESS.matcher(address).matches() && address.indexOf('<') < 0
                ? "<a href=\"" + Players.address(address) + "\">" + escaped(address) + "</a>"
                : address;
    }

    private static String caption(Found found, Makers makers) {
        Map<String, String> attributes = found.attributes();
        String content = found.content();
        String caption = attributes.getOrDefault("caption", "");
        if (!attributes.containsKey("caption") && content.indexOf('<') >= 0) {
            Matcher picture = PICTURE.matcher(content);
            if (picture.find()) {
                content = picture.group(1);
                caption = picture.group(2).strip();
            }
        } else if (attributes.containsKey("caption") && caption.indexOf('<') >= 0) {
            caption = HtmlPolicy.cleanContent(caption);
        }
        long width = number(attributes.getOrDefault("width", ""));
        if (width < 1 || caption.isEmpty()) {
            return render(content, makers);
        }
        String id = NO_CLASS.matcher(attributes.getOrDefault("id", "")).replaceAll("");
        String captionId =
                NO_CLASS.matcher(attributes.getOrDefault("caption_id", "")).replaceAll("");
        if (captionId.isEmpty() && !id.isEmpty()) {
            captionId = "caption-" + id.replace('_', '-');
        }
        String classes = ("wp-caption " + attributes.getOrDefault("align", "alignnone") + " "
                        + attributes.getOrDefault("class", ""))
                .strip();
        return "<figure " + (id.isEmpty() ? "" : "id=\"" + id + "\" ")
                + (captionId.isEmpty() ? "" : "aria-describedby=\"" + captionId + "\" ")
                + "style=\"width: " + width + "px\" class=\"" + escaped(classes) + "\">"
                + render(content, makers)
                + "<figcaption " + (captionId.isEmpty() ? "" : "id=\"" + captionId + "\" ")
                + "class=\"wp-caption-text\">" + caption + "</figcaption></figure>";
    }

    /** Reads the digits that a text begins with. */
    private static long number(String text) {
        String stripped = text.strip();
        int end = 0;
        while (end < stripped.length() && end < 9 && Character.digit(stripped.charAt(end), 10) >= 0) {
            end++;
        }
        return end == 0 ? 0 : Long.parseLong(stripped.substring(0, end));
    }

    private static String escaped(String text) {
        return text.replaceAll("&(?!#?\\w{1,20};)", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#039;");
    }

    private static Map<String, String> attributes(String text) {
        if (text.isBlank()) {
            return Map.of();
        }
        Map<String, String> attributes = new HashMap<>();
        Matcher attribute = ATTRIBUTE.matcher(text.replace('\u00a0', ' '));
        while (attribute.find()) {
            String value = attribute.group(2) != null
                    ? attribute.group(2)
                    : attribute.group(3) != null ? attribute.group(3) : attribute.group(4);
            attributes.put(LetterCase.lower(attribute.group(1)), value);
        }
        return attributes;
    }

    /** One way through a text. */
    private static final class Walk {
        private final String html;
        /** The same length, with nothing in place of tags, so that places are the same. */
        private final String text;

        private final Function<Found, String> replacement;
        private final boolean isParagraphs;
        private final StringBuilder out;
        private final Map<String, Integer> closings = new HashMap<>();
        private String only = "";

        /** How many are looked at. */
        private final AtomicInteger left;

        Walk(String html, Function<Found, String> replacement, boolean isParagraphs) {
            this(html, replacement, isParagraphs, new AtomicInteger(MOST));
        }

        Walk(String html, Function<Found, String> replacement, boolean isParagraphs, AtomicInteger left) {
            this.left = left;
            this.html = html;
            this.replacement = replacement;
            this.isParagraphs = isParagraphs;
            text = withoutTags(html);
            out = new StringBuilder(html.length() + 64);
        }

        private static String withoutTags(String html) {
            if (html.indexOf('<') < 0) {
                return html;
            }
            StringBuilder text = new StringBuilder(html);
            int end;
            for (int at = 0; at < html.length(); at = end) {
                end = Markup.pieceEnd(html, at);
                for (int within = at; html.charAt(at) == '<' && within < end; within++) {
                    text.setCharAt(within, '\0');
                }
            }
            return text.toString();
        }

        Walk only(String name) {
            only = name;
            return this;
        }

        String all() {
            Matcher opening = OPENING.matcher(text);
            int at = 0;
            int search = 0;
            while (left.get() > 0 && opening.find(Math.max(search, at))) {
                left.decrementAndGet();
                int end = opening.end();
                search = end;
                if (!only.isEmpty() && !only.equals(opening.group(2))) {
                    continue;
                }
                String inside = opening.group(3);
                boolean isClosed = inside.endsWith("/");
                int close = isClosed ? -1 : closing(opening.group(2), end);
                int contentEnd = close < 0 ? end : close;
                if (close >= 0) {
                    end = close + opening.group(2).length() + 3;
                }
                boolean isDoubled = !opening.group(1).isEmpty();
                boolean endsDouble = end < text.length() && text.charAt(end) == ']';
                if (isDoubled && endsDouble) {
                    // Written so that it is shown.
                    copy(
                            at,
                            opening.start(),
                            html.substring(opening.start() + (isParagraphs ? 0 : 1), end) + (isParagraphs ? "]" : ""));
                    at = end + 1;
                    continue;
                }
                int start = opening.start() + opening.group(1).length();
                String name = opening.group(2);
                Found found = new Found(
                        name,
                        attributes(html.substring(opening.start(3), opening.end(3))),
                        html.substring(opening.end(), contentEnd),
                        close >= 0,
                        html.substring(start, end));
                if (isParagraphs) {
                    end = alone(at, start, end, found.whole());
                } else {
                    copy(at, start, replacement.apply(found));
                }
                at = end;
            }
            return out.append(html, at, html.length()).toString();
        }

        private void copy(int from, int to, String then) {
            out.append(html, from, to).append(then);
        }

        /** Leaves out the paragraph around a shortcode, if there is one and nothing else in it. */
        private int alone(int from, int start, int end, String whole) {
            int tag = beforeSpace(start) - PARAGRAPH.length();
            int behind = afterSpace(end);
            if (tag >= from && html.startsWith(PARAGRAPH, tag) && html.startsWith("</p>", behind)) {
                copy(from, tag, whole);
                return behind + "</p>".length();
            }
            copy(from, start, whole);
            return end;
        }

        private int beforeSpace(int from) {
            int at = from;
            while (true) {
                if (at > 0 && isSpace(html.charAt(at - 1))) {
                    at--;
                } else if (at >= SPACE.length() && html.startsWith(SPACE, at - SPACE.length())) {
                    at -= SPACE.length();
                } else {
                    return at;
                }
            }
        }

        private int afterSpace(int from) {
            int at = from;
            while (true) {
                if (at < html.length() && isSpace(html.charAt(at))) {
                    at++;
                } else if (html.startsWith(SPACE, at)) {
                    at += SPACE.length();
                } else {
                    return at;
                }
            }
        }

        private static boolean isSpace(char one) {
            return one == ' ' || one == '\n' || one == '\r' || one == '\t' || one == '\u00a0';
        }

        /** Finds the other end; looked for once where there is none. */
        private int closing(String name, int from) {
            int known = closings.getOrDefault(name, 0);
            if (known >= 0 && known < from) {
                known = text.indexOf("[/" + name + "]", from);
                closings.put(name, known);
            }
            return known;
        }
    }
}
