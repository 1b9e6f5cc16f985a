package io.github.ratelimit.content.cms.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Attribute;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.DataNode;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.safety.Cleaner;
import org.jsoup.safety.Safelist;

/**
 * HTML of callers without the right to post raw HTML. Scripts, event attributes, frames and addresses that run code are
 * removed; their texts stay.
 */
public final class HtmlPolicy {
    private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]");
    private static final char COMMENT = '\ufdd0';
    private static final char COMMENT_END = '\ufdd1';

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

    private static final Safelist CONTENT = content();
    private static final Safelist TITLE = safelist(
            "a: href title",
            "abbr acronym: title",
            "blockquote q: cite",
            "del: datetime",
            "b cite code em i s strike strong:");

    private HtmlPolicy() {}

    /** Source: BEHAVIOUR section 5, the elements that clients of this interface write, and MathML Core but what holds HTML. */
    private static Safelist content() {
        Safelist listed = new WithData(
                safelist(
                        "a: href rel rev name target",
                        "area: alt coords href nohref shape target",
                        "audio: autoplay controls loop muted preload src",
                        "blockquote q: cite",
                        "button: disabled name type value",
                        "col colgroup tbody tfoot thead tr: align valign span width bgcolor",
                        "del ins: datetime cite",
                        "details: align name open",
                        "font: color face size",
                        "hr: align noshade size width",
                        "img: alt align border height hspace loading longdesc vspace src usemap width",
                        "label: for",
                        "li: align value",
                        "map: name",
                        "menu ul: type",
                        "meter progress data: high low max min optimum value",
                        "ol: start type reversed",
                        "table: align bgcolor border cellpadding cellspacing rules summary width",
                        "td th: abbr align axis bgcolor colspan headers height nowrap rowspan scope valign width",
                        "time: datetime",
                        "track: default kind label src srclang",
                        "video: autoplay controls height loop muted playsinline poster preload src width",
                        "article aside caption div figure figcaption footer h1 h2 h3 h4 h5 h6 header hgroup legend main nav p"
                                + " section span summary: align",
                        "address abbr acronym b bdo big br cite code dd dfn dl dt em fieldset i kbd mark pre rp rt ruby s samp"
                                + " small strike strong sub sup tt u var wbr:",
                        "annotation math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow"
                                + " ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics:"
                                + " displaystyle mathbackground mathcolor mathsize scriptlevel",
                        "annotation: encoding",
                        "math: alttext display",
                        "menclose: notation",
                        "mfrac: linethickness",
                        "mi: mathvariant",
                        "mo: fence form largeop lspace maxsize minsize movablelimits rspace separator stretchy symmetric",
                        "mover munder munderover: accent accentunder",
                        "mpadded mspace: depth height lspace voffset width",
                        "mtable mtd mtr: columnalign columnlines columnspacing columnspan frame rowalign rowlines rowspacing rowspan"));
        return listed.addAttributes(
                ":all",
                ("aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label"
                                + " aria-labelledby aria-live class dir hidden id lang role style title xml:lang")
                        .split(" ", -1));
    }

    private static Safelist safelist(String... rows) {
        Safelist listed = new Harmless(Safelist.none());
        for (String row : rows) {
            String[] parts = row.split(":", -1);
            for (String element : parts[0].split(" ", -1)) {
                listed.addTags(element);
                if (!parts[1].isEmpty()) {
                    listed.addAttributes(element, parts[1].strip().split(" ", -1));
                }
            }
        }
        return listed;
    }

    /** Refuses addresses that run code. */
    private static class Harmless extends Safelist {
        Harmless(Safelist listed) {
            super(listed);
        }

        @Override
        public boolean isSafeAttribute(String tag, Element element, Attribute attribute) {
            return super.isSafeAttribute(tag, element, attribute)
                    && (!ADDRESSES.contains(attribute.getKey()) || isSafeAddress(attribute.getValue()));
        }
    }

    /** Allows data attributes, but none that tells the scripts of block editors what to do. */
    private static final class WithData extends Harmless {
        private static final Pattern DATA = Pattern.compile("data-(?!wp-)[a-z0-9_-]+");

        WithData(Safelist listed) {
            super(listed);
        }

        @Override
        public boolean isSafeAttribute(String tag, Element element, Attribute attribute) {
            return DATA.matcher(attribute.getKey()).matches() || super.isSafeAttribute(tag, element, attribute);
        }
    }

    /**
     * Cleans a content, an excerpt, a caption or a description.
     *
     * @param html what a caller sent
     * @return the allowed part, comments included
     */
    public static String cleanContent(String html) {
        return clean(html, CONTENT);
    }

    /**
     * Cleans a title.
     *
     * @param html what a caller sent
     * @return text and the few elements that a title may hold
     */
    public static String cleanTitle(String html) {
        return clean(html, TITLE);
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

    private static String clean(String html, Safelist allowed) {
        String plain = CONTROL.matcher(Placeholders.removeFrom(html)).replaceAll("");
        return cleanMarkup(BlockMarkup.filtered(plain, value -> cleanMarkup(value, allowed)), allowed);
    }

    private static String cleanMarkup(String html, Safelist allowed) {
        if (html.indexOf('<') < 0 && html.indexOf('>') < 0 && html.indexOf('&') < 0) {
            return html;
        }
        Document sent = Jsoup.parseBodyFragment(html);
        List<Node> nodes = new ArrayList<>();
        sent.body().traverse((node, depth) -> nodes.add(node));
        nodes.forEach(HtmlPolicy::prepare);
        Document clean = new Cleaner(allowed).clean(sent);
        clean.outputSettings().prettyPrint(false);
        return clean.body().html().replace(String.valueOf(COMMENT), "<!--").replace(String.valueOf(COMMENT_END), "-->");
    }

    /** The cleaner would drop comments and the text of scripts, so they become text. No placeholder is in any other text. */
    private static void prepare(Node node) {
        if (node instanceof Comment comment) {
            String data = Placeholders.removeFrom(Parser.unescapeEntities(comment.getData(), false));
            node.replaceWith(new TextNode(COMMENT + data + COMMENT_END));
        } else if (node instanceof DataNode data) {
            node.replaceWith(new TextNode(Placeholders.removeFrom(data.getWholeData())));
        } else if (node instanceof TextNode text) {
            text.text(Placeholders.removeFrom(text.getWholeText()));
        } else if (node instanceof Element element && element.attributesSize() > 0) {
            for (Attribute attribute : element.attributes()) {
                if (attribute.hasDeclaredValue()) {
                    attribute.setValue(Placeholders.removeFrom(attribute.getValue()));
                }
            }
            if (element.hasAttr("style")) {
                String style = style(element.attr("style"));
                if (style.isEmpty()) {
                    element.removeAttr("style");
                } else {
                    element.attr("style", style);
                }
            }
        }
    }

    /** Keeps the declarations that load only harmless addresses. */
    private static String style(String style) {
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
