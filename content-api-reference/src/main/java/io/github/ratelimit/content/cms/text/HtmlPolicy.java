package io.github.ratelimit.content.cms.text;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Element;
import org.jsoup.parser.ParseSettings;
import org.jsoup.parser.Parser;

/**
 * HTML of callers without the right to post raw HTML. Scripts, event attributes, frames and addresses that run code are
 * removed; their texts stay.
 *
 * <p>A text is read from its beginning to its end, as a run of comments, tags and texts. What begins neither a comment nor a
 * tag is text, and its brackets become character references. So whatever comes out is a known tag, a comment, or text.
 */
public final class HtmlPolicy {
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]");
    private static final Pattern COMMENT = Pattern.compile("<!--(?:-?>|(.*?)--!?>)", Pattern.DOTALL);
    private static final Pattern TAG_NAME = Pattern.compile("</?([a-zA-Z][a-zA-Z0-9:-]*+)(?=[\\s/>])");
    private static final Pattern MARK =
            Pattern.compile("&(?:#(?:[0-9]{1,7}|[xX][0-9a-fA-F]{1,6})|[a-zA-Z][a-zA-Z0-9]{1,30});|[&<>]");

    /** The attributes of {@code EVERY} belong to each element. */
    private static final String EVERY = "*";

    private static final Set<String> SCHEMES =
            Set.of("http", "https", "ftp", "mailto", "news", "irc", "nntp", "sms", "tel", "xmpp", "webcal", "urn");

    /** Attributes that hold an address. */
    private static final Set<String> ADDRESSES = Set.of("cite", "href", "longdesc", "poster", "src", "usemap");

    private static final Pattern IGNORED_IN_ADDRESSES = Pattern.compile("[\\s\\p{Cntrl}]+");
    private static final Pattern DECLARATION = Pattern.compile("[a-zA-Z-]+\\s*+:[^\\\\<>&{}@]++");
    private static final Pattern RUNS_CODE =
            Pattern.compile("expression\\s*+\\(|behavior|binding|/\\*", Pattern.CASE_INSENSITIVE);
    private static final Pattern STYLE_ADDRESS =
            Pattern.compile("url\\(\\s*+[\"']?+([^\"')]*+)", Pattern.CASE_INSENSITIVE);

    /** An uploaded document, below the address of the site. */
    private static final Pattern OWN_DOCUMENT =
            Pattern.compile("/(?:wp-content/)?uploads/(?!.*(?:\\.|%2[eE]){2})[^\\s?#\"'<>\\\\]+\\.pdf");

    private static final Map<String, Set<String>> TITLE = listed("html-policy-titles.txt");

    /** The attributes of each element that contents may hold. */
    private static final Map<String, Set<String>> CONTENT = listed("html-policy.txt");

    /** Data attributes, but none that tells the scripts of block editors what to do. */
    private static final Pattern DATA = Pattern.compile("data-(?!wp-)[a-z0-9_-]+");

    /**
     * What is left out may join a block that nobody has read: a comment in the attributes of another one. So a text with comments is read
     * until it stays the same. Chosen: comments of one that still changes then become text.
     */
    private static final int MOST_READINGS = 4;

    private HtmlPolicy() {}

    private static Map<String, Set<String>> listed(String file) {
        Map<String, Set<String>> listed = new HashMap<>();
        for (List<String> row : TextTable.rows(HtmlPolicy.class, file)) {
            for (String element : row.get(0).split(" ", -1)) {
                Collections.addAll(
                        listed.computeIfAbsent(element, name -> new HashSet<>()),
                        row.get(1).split(" ", -1));
            }
        }
        return listed;
    }

    /**
     * Cleans a content, an excerpt, a caption or a description.
     *
     * @param html what a caller sent
     * @return the allowed part, comments included
     */
    public static String cleanContent(String html) {
        return cleanContent(html, "");
    }

    /**
     * Cleans a content, an excerpt, a caption or a description of a site.
     *
     * @param html what a caller sent
     * @param site its address: of its own documents {@code object} may be made; or empty
     * @return the allowed part, comments included
     */
    public static String cleanContent(String html, String site) {
        return clean(html, new Rules(CONTENT, site));
    }

    /**
     * Cleans a title.
     *
     * @param html what a caller sent
     * @return text and the few elements that a title may hold
     */
    public static String cleanTitle(String html) {
        return clean(html, new Rules(TITLE, ""));
    }

    /** What may stay: elements with their attributes, and on what site. */
    private record Rules(Map<String, Set<String>> allowed, String site) {
        boolean hasListed(String name, String attribute) {
            Set<String> everywhere = allowed.getOrDefault(EVERY, Set.of());
            return allowed.getOrDefault(name, Set.of()).contains(attribute)
                    || everywhere.contains(attribute)
                    || (!everywhere.isEmpty() && DATA.matcher(attribute).matches());
        }

        boolean hasDocument(Element object) {
            String address = Rendering.withoutPlaceholders(object.attr("data"));
            String host = site.substring(site.indexOf(':') + 1);
            String sent = address.replaceFirst("^https?:", "");
            return !site.isEmpty()
                    && object.attr("type").equalsIgnoreCase("application/pdf")
                    && sent.length() < address.length()
                    && sent.startsWith(host)
                    && OWN_DOCUMENT.matcher(sent.substring(host.length())).matches();
        }
    }

    /**
     * Tells whether contents may hold an element.
     *
     * @param name in lower case
     * @return whether it is one of theirs
     */
    static boolean isElement(String name) {
        return CONTENT.containsKey(name) && !name.equals(EVERY);
    }

    /**
     * Tells whether an address runs no code in a browser.
     *
     * @param address without character references
     * @return whether it is relative, or has a known scheme
     */
    static boolean isSafeAddress(String address) {
        String plain = IGNORED_IN_ADDRESSES.matcher(address).replaceAll("");
        int colon = plain.indexOf(':');
        String scheme = plain.substring(0, Math.max(colon, 0));
        boolean isRelative = colon < 0 || scheme.matches("[^/?#]*[/?#].*");
        return isRelative || SCHEMES.contains(scheme.toLowerCase(Locale.ROOT));
    }

    private static String clean(String html, Rules rules) {
        // One end of comments, as blocks have it: another one must not hide a block's attributes.
        String sent = CONTROL.matcher(Rendering.withoutPlaceholders(html)).replaceAll("");
        String plain = sent.contains("<!--") ? sent.replace("--!>", "-->") : sent;
        String clean = plain;
        for (int reading = 0; reading < MOST_READINGS; reading++) {
            String read = cleanMarkup(BlockMarkup.filtered(clean, value -> cleanMarkup(value, rules)), rules);
            if (read.equals(clean) || !read.contains("<!--")) {
                return read;
            }
            clean = read;
        }
        return clean.replace("<!--", "&lt;!--");
    }

    private static String cleanMarkup(String html, Rules rules) {
        StringBuilder clean = new StringBuilder(html.length() + 16);
        Matcher comment = COMMENT.matcher(html);
        Matcher name = TAG_NAME.matcher(html);
        // Where no end of a comment follows, none is looked for.
        int lastComment = Math.max(html.lastIndexOf("-->"), html.lastIndexOf("--!>"));
        boolean isTyped = false;
        int end;
        for (int at = 0; at < html.length(); at = end) {
            if (at < lastComment && comment.region(at, html.length()).lookingAt()) {
                String data = Objects.requireNonNullElse(comment.group(1), "");
                clean.append("<!--").append(text(data)).append("-->");
                end = comment.end();
            } else if (name.region(at, html.length()).lookingAt()) {
                end = tagEnd(html, name.end());
                String piece = html.substring(at, end);
                if (!piece.endsWith(">")) {
                    clean.append(quoted(piece));
                } else if (rules.allowed().containsKey(Letters.lower(name.group(1)))) {
                    clean.append(tag(piece, name.group(), Letters.lower(name.group(1)), rules));
                    boolean isField = Letters.lower(name.group(1)).equals("textarea");
                    isTyped = isField ? !piece.startsWith("</") : isTyped;
                }
            } else {
                end = at + 1;
                while (end < html.length() && html.charAt(end) != '<' && html.charAt(end) != '>') {
                    end++;
                }
                String piece = html.substring(at, end);
                boolean isOpened = piece.startsWith("<") && !html.startsWith(">", end);
                clean.append(isOpened ? quoted(piece) : text(piece));
            }
        }
        // Whatever follows would be its text: the rest of a page.
        return clean.append(isTyped ? "</textarea>" : "").toString();
    }

    /** Finds the place behind a tag, or where it becomes clear that there is none. A value may hold brackets. */
    private static int tagEnd(String html, int begin) {
        int at = begin;
        while (at < html.length() && html.charAt(at) != '<') {
            char one = html.charAt(at++);
            if (one == '>') {
                return at;
            }
            while (one == '=' && at < html.length() && Character.isWhitespace(html.charAt(at))) {
                at++;
            }
            if (one == '=' && (html.startsWith("\"", at) || html.startsWith("'", at))) {
                int close = html.indexOf(html.charAt(at), at + 1);
                if (close < 0) {
                    return at;
                }
                at = close + 1;
            }
        }
        return at;
    }

    /** Spells text with brackets and loose ampersands as references. */
    private static String text(String text) {
        return MARK.matcher(text).replaceAll(found -> {
            String mark = found.group();
            String meant = Parser.unescapeEntities(mark, false);
            boolean isReference = mark.length() > 1 && !meant.equals(mark);
            return isReference ? (Rendering.withoutPlaceholders(meant).isEmpty() ? "" : mark) : Markup.encoded(mark);
        });
    }

    /** Spells text that an opening bracket has begun: no quotation mark of it may become one of a tag. */
    private static String quoted(String text) {
        return text(text).replace("\"", "&quot;").replace("'", "&#039;");
    }

    private static String tag(String tag, String begin, String name, Rules rules) {
        if (tag.startsWith("</") || (tag.length() == begin.length() + 1 && !name.equals("object"))) {
            return begin + ">";
        }
        StringBuilder clean = new StringBuilder(begin);
        Parser parser = Parser.xmlParser().settings(ParseSettings.htmlDefault);
        Element read = Jsoup.parse(tag, "", parser).firstElementChild();
        if (read == null) {
            return quoted(tag);
        }
        if (name.equals("object") && !rules.hasDocument(read)) {
            return "";
        }
        for (Attribute attribute : read.attributes()) {
            String key = attribute.getKey();
            String sent = Rendering.withoutPlaceholders(attribute.getValue());
            String value = key.equals("style") ? style(sent) : sent;
            boolean isListed = rules.hasListed(name, key)
                    && (!ADDRESSES.contains(key) || isSafeAddress(value))
                    && !(key.equals("style") && value.isEmpty())
                    && !(key.equals("download") && attribute.hasDeclaredValue());
            if (isListed) {
                clean.append(' ').append(key);
                clean.append(attribute.hasDeclaredValue() ? "=\"" + Markup.encoded(value) + "\"" : "");
            }
        }
        return clean.append(tag.endsWith("/>") ? " />" : ">").toString();
    }

    /** Keeps the declarations that load only harmless addresses. */
    static String style(String style) {
        List<String> kept = new ArrayList<>();
        for (String declaration : style.split(";", -1)) {
            Matcher address = STYLE_ADDRESS.matcher(declaration);
            boolean isSafe = DECLARATION.matcher(declaration.strip()).matches()
                    && !RUNS_CODE.matcher(declaration).find();
            while (isSafe && address.find()) {
                isSafe = isSafeAddress(address.group(1));
            }
            if (isSafe) {
                kept.add(declaration.strip());
            }
        }
        return String.join(";", kept);
    }
}
