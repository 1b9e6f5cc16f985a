package io.github.ratelimit.content.cms.text;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Paragraphs for text that has blank lines instead, and breaks for its single line breaks.
 *
 * <p>Elements that cannot stand in a paragraph end one. Every pattern is possessive or bounded by the next bracket, so
 * that the time grows with the length of the text.
 */
final class Paragraphs {
    private static final String NAMES =
            "(?:p|div|ul|ol|li|h[1-6]|blockquote|figure|figcaption|pre|table|thead|tbody|tfoot|tr"
                    + "|td|th|caption|col|colgroup|dl|dd|dt|form|map|area|address|style|hr|fieldset|legend|section|article|aside"
                    + "|hgroup|header|footer|nav|details|menu|summary)(?=[\\s/>])";

    /** At the ends of a paragraph these count as blocks, too. They begin none within a line. */
    private static final String OUTER = "(?:" + NAMES + "|(?:picture|progress)(?=[\\s/>]))";

    private static final Pattern BLOCK = Pattern.compile("</?" + OUTER + "[^<>]*+>");
    private static final Pattern BEGIN = Pattern.compile("<" + NAMES);
    private static final Pattern END = Pattern.compile("</" + NAMES + ">|<hr(?=[\\s/>])[^<>]*+>");
    private static final Pattern TWO_BREAKS = Pattern.compile("<br\\s*+/?>\\s*+<br\\s*+/?>");
    /** A part between blank lines has one at most on each side. */
    private static final Pattern OUTER_LINE = Pattern.compile("\\A\n|\n\\z");

    private static final Pattern BLANK_LINE = Pattern.compile("\n\\s*\n");

    private static final String INSIDE = "</?(?:option|param|embed|source|track|figcaption)(?=[\\s/>])";
    private static final Pattern SPACE_BEFORE =
            Pattern.compile("(?<!\\s)\\s++(?=" + INSIDE + "|</(?:object|audio|video)>)");
    private static final Pattern SPACE_BEHIND = Pattern.compile(
            "((?:<(?:object|audio|video|option|param|embed|source|track)(?=[\\s/>])|</(?:option|param|embed|figcaption)"
                    + "(?=[\\s/>]))[^<>]*+>)\\s++");

    private static final Pattern PLAIN_BREAK = Pattern.compile("<br/?>");
    private static final Pattern LINE = Pattern.compile("(?<!<br />|\\s)\\s*\n|(?<=<br />\\s)\\s*\n");
    private static final Pattern BREAK_BEHIND_BLOCK = Pattern.compile("(</?" + OUTER + "[^<>]*+>)\\s*+<br />");
    private static final Pattern BREAK_BEFORE_BLOCK =
            Pattern.compile("<br />(?=\\s*+</?(?:p|picture|progress|li|div|dl|dd|dt|th|pre|td|ul|ol)(?=[\\s/>]))");

    /** Elements whose line breaks have a meaning. */
    private static final List<String> VERBATIM = List.of("pre", "script", "style", "svg", "math");

    private static final char KEPT_LINE = '\ufdd0';

    private Paragraphs() {}

    /**
     * Makes paragraphs.
     *
     * @param html text without placeholders, with or without HTML
     * @return HTML that ends with a line break, or nothing where there is only space
     */
    static String of(String html) {
        if (html.isBlank()) {
            return "";
        }
        String text = withKeptLines(html.replace("\r\n", "\n").replace('\r', '\n'));
        text = TWO_BREAKS.matcher(text).replaceAll("\n\n");
        text = BEGIN.matcher(text).replaceAll("\n\n$0");
        text = END.matcher(text).replaceAll("$0\n\n");
        text = SPACE_BEFORE.matcher(text).replaceAll("");
        text = SPACE_BEHIND.matcher(text).replaceAll("$1");
        StringBuilder made = new StringBuilder(text.length() + text.length() / 8 + 64);
        for (String part : BLANK_LINE.split(text)) {
            if (!part.isBlank()) {
                append(made, withBreaks(OUTER_LINE.matcher(part).replaceAll("")));
            }
        }
        text = BREAK_BEHIND_BLOCK.matcher(made).replaceAll("$1");
        text = BREAK_BEFORE_BLOCK.matcher(text).replaceAll("");
        return text.replace(KEPT_LINE, '\n');
    }

    /** Protects the line breaks within tags, comments and elements whose line breaks have a meaning. */
    private static String withKeptLines(String html) {
        if (html.indexOf('<') < 0) {
            return html;
        }
        // Where no end tag follows, none is looked for.
        int[] lastEnds = VERBATIM.stream()
                .mapToInt(name -> html.lastIndexOf("</" + name + ">"))
                .toArray();
        StringBuilder kept = new StringBuilder(html.length());
        int end;
        for (int at = 0; at < html.length(); at = end) {
            end = Markup.pieceEnd(html, at);
            for (int i = 0; i < lastEnds.length; i++) {
                if (at < lastEnds[i] && html.startsWith(VERBATIM.get(i), at + 1)) {
                    end = Math.max(end, html.indexOf("</" + VERBATIM.get(i) + ">", at));
                }
            }
            String piece = html.substring(at, end);
            kept.append(html.charAt(at) == '<' ? piece.replace('\n', KEPT_LINE) : piece);
        }
        return kept.toString();
    }

    private static String withBreaks(String part) {
        return LINE.matcher(PLAIN_BREAK.matcher(part).replaceAll("<br />")).replaceAll("<br />\n");
    }

    /** Appends a part between blank lines. Only its first and its last tag can be those of a block. */
    private static void append(StringBuilder made, String part) {
        Matcher block = BLOCK.matcher(part);
        int begin = part.length() - part.stripLeading().length();
        String head = block.region(begin, part.length()).lookingAt() ? block.group() : "";
        int inside = head.isEmpty() ? 0 : begin + head.length();
        int last = part.lastIndexOf('<');
        boolean hasTail = last >= inside
                && block.region(last, part.length()).lookingAt()
                && part.substring(block.end()).isBlank();
        String tail = hasTail ? block.group() : "";
        String text = part.substring(inside, hasTail ? last : part.length());
        boolean isItem = head.startsWith("<li") && tail.isEmpty() && part.indexOf('\n') < 0;
        boolean isParagraph = head.isEmpty() || head.equals("<p>");
        if (head.equals("<p>") && (tail.isEmpty() || tail.equals("</p>")) && text.isBlank()) {
            return;
        }
        boolean isQuotation = head.startsWith("<blockquote");
        made.append(head.isEmpty() || isQuotation ? head + "<p>" : head).append(text);
        boolean closesEarly = tail.equals("</blockquote>")
                || (isParagraph
                        && (tail.equals("</div>") || tail.equals("</address>") || tail.equals("</form>"))
                        && text.indexOf('<') < 0);
        boolean closes = tail.isEmpty() && !isItem && (head.isEmpty() || isQuotation || !text.isBlank());
        made.append(closesEarly || closes ? "</p>" : "").append(tail).append('\n');
    }
}
