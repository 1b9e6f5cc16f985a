package io.github.ratelimit.content.cms.text;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Elements and attributes that callers without the right to raw HTML may write.
 *
 * <p>None of them runs anything, and no element is among them whose insides a browser reads as something else than HTML.
 * Source: BEHAVIOUR section 5, and what clients of this interface know.
 */
final class AllowedTags {
    private static final Set<String> EVERYWHERE = Set.of("""
            aria-controls aria-current aria-describedby aria-details aria-expanded aria-hidden aria-label aria-labelledby
            aria-live class dir hidden id lang role style title xml:lang""".split("\\s", -1));

    /** Not those that tell scripts of block editors what to do. Chosen: a page that has such scripts would obey. */
    private static final Pattern DATA = Pattern.compile("data-(?!wp-)[a-z0-9_-]+");

    /** Attributes that hold an address. */
    private static final Set<String> ADDRESSES =
            Set.of("cite", "href", "longdesc", "poster", "src", "usemap", "background", "data");

    /** Contents, excerpts, captions and descriptions. */
    static final AllowedTags CONTENT = new AllowedTags(
            true,
            "a: href rel rev name target download",
            "area: alt coords href nohref shape target",
            "audio: autoplay controls loop muted preload src",
            "blockquote q: cite",
            "button: disabled name type value",
            "col colgroup: align char charoff span valign width",
            "del: datetime",
            "data: value",
            "details: align name open",
            "dialog: closedby open",
            "font: color face size",
            "hr: align noshade size width",
            "img: alt align border height hspace loading longdesc vspace src usemap width",
            "ins: datetime cite",
            "label: for",
            "li: align value",
            "map: name",
            "meter: high low max min optimum value",
            "menu ul: type",
            "ol: start type reversed",
            "pre: width",
            "progress: max value",
            "table: align bgcolor border cellpadding cellspacing rules summary width",
            "td th: abbr align axis bgcolor char charoff colspan headers height nowrap rowspan scope valign width",
            "time: datetime",
            "tbody tfoot thead: align char charoff valign",
            "tr: align bgcolor char charoff valign",
            "track: default kind label src srclang",
            "video: autoplay controls height loop muted playsinline poster preload src width",
            "article aside caption div figure figcaption footer h1 h2 h3 h4 h5 h6 header hgroup legend main nav p section"
                    + " span summary: align",
            "address abbr acronym b bdo big br cite code dd dfn dl dt em fieldset i kbd mark rb rp rt rtc ruby s samp search"
                    + " small strike strong sub sup tt u var wbr:");

    /** Titles. */
    static final AllowedTags TITLE = new AllowedTags(
            false,
            "a: href title",
            "abbr acronym: title",
            "blockquote q: cite",
            "del: datetime",
            "b cite code em i s strike strong:");

    private final boolean hasCommonAttributes;
    private final Map<String, Set<String>> attributes = new HashMap<>();

    private AllowedTags(boolean hasCommonAttributes, String... rows) {
        this.hasCommonAttributes = hasCommonAttributes;
        for (String row : rows) {
            String[] parts = row.split(":", 2);
            Set<String> allowed = new HashSet<>(Set.of(parts[1].strip().split(" ", -1)));
            for (String element : parts[0].split(" ", -1)) {
                attributes.put(element, allowed);
            }
        }
    }

    /**
     * Tells whether an element may be written.
     *
     * @param element its name in lower case
     * @return whether it stays
     */
    boolean allows(String element) {
        return attributes.containsKey(element);
    }

    /**
     * Tells whether an attribute may be written.
     *
     * @param element an allowed one, in lower case
     * @param attribute its name in lower case
     * @return whether it stays, if its value does
     */
    boolean allows(String element, String attribute) {
        return attributes.getOrDefault(element, Set.of()).contains(attribute)
                || (hasCommonAttributes
                        && (EVERYWHERE.contains(attribute)
                                || DATA.matcher(attribute).matches()));
    }

    /**
     * Tells whether an attribute holds an address.
     *
     * @param attribute its name in lower case
     * @return whether its scheme is to be looked at
     */
    static boolean isAddress(String attribute) {
        return ADDRESSES.contains(attribute);
    }
}
