package io.github.ratelimit.content.cms.text;

import static io.github.ratelimit.content.cms.text.Placeholders.GREATER_THAN;
import static io.github.ratelimit.content.cms.text.Placeholders.LESS_THAN;
import static io.github.ratelimit.content.cms.text.Placeholders.LINE_BREAK;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Paragraphs for text that has blank lines instead, and line breaks for its single ones.
 *
 * <p>HTML may stand in the text: elements that are no part of a paragraph end one, and paragraphs that are marked already
 * stay as they are. Before anything is matched, each tag is made one piece without {@code <} or line breaks inside, so no
 * pattern runs on beyond the tag where it began, and the time a text takes grows with its length only.
 */
final class Paragraphs {
    /** By their first letters, so that what is none of them is left after one look. */
    private static final String BLOCK =
            "(?:t(?:able|head|foot|body|[rdh])|c(?:aption|ol(?:group)?)|d(?:iv|[ldt]|etails)"
                    + "|[uo]l|l(?:i|egend)|p(?:re)?|f(?:orm|ieldset|ooter|ig(?:ure|caption))|m(?:ap|enu)|a(?:rea|ddress|rticle|side)"
                    + "|blockquote|s(?:tyle|ection|ummary)|h(?:[1-6r]|group|eader)|nav)";

    private static final String ANY_BLOCK_TAG = "</?" + BLOCK + "[^>]*+>";

    private static final Pattern TWO_BREAKS = Pattern.compile("<br\\s*+/?>\\s*+<br\\s*+/?>");
    private static final Pattern OPENS_BLOCK = Pattern.compile("<" + BLOCK + "[\\s/>" + LINE_BREAK + "]");
    private static final Pattern CLOSES_BLOCK = Pattern.compile("</" + BLOCK + ">");
    private static final Pattern RULE = Pattern.compile("<hr\\s*+/?>");
    private static final Pattern LINE_BREAKS = Pattern.compile("\n\n++");

    /** Tags that take no part in paragraphs; space before or after them is no text either. */
    private static final Pattern NO_SPACE_BEFORE =
            Pattern.compile("<(?:option|/object>|/?(?:param|embed)|/(?:audio|video)>|source|track|figcaption)");

    private static final Pattern NO_SPACE_AFTER = Pattern.compile(
            "</option>|</figcaption>|<object[^>]*>|</?(?:param|embed)[^>]*>|<(?:audio|video|source|track)[^>]*>");

    private static final Pattern EMPTY = Pattern.compile("<p>\\s*+</p>");
    private static final Pattern UNCLOSED = Pattern.compile("<p>([^<]++)</(div|address|form)>");
    private static final Pattern WRAPPED_BLOCK = Pattern.compile("<p>\\s*+(" + ANY_BLOCK_TAG + ")\\s*+</p>");
    private static final Pattern WRAPPED_ITEM = Pattern.compile("<p>(<li.+?)</p>", Pattern.UNIX_LINES);
    private static final Pattern WRAPPED_QUOTATION =
            Pattern.compile("<p><blockquote([^>]*)>", Pattern.CASE_INSENSITIVE);
    private static final Pattern OPENED_BEFORE_BLOCK = Pattern.compile("<p>\\s*+(" + ANY_BLOCK_TAG + ")");
    private static final Pattern CLOSED_AFTER_BLOCK = Pattern.compile("(" + ANY_BLOCK_TAG + ")\\s*+</p>");
    private static final Pattern BREAK_AFTER_BLOCK = Pattern.compile("(" + ANY_BLOCK_TAG + ")\\s*+<br />");
    private static final Pattern BREAK_BEFORE_BLOCK =
            Pattern.compile("<br />(\\s*+</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>)");

    private static final String LAST_BREAK = "\n</p>\n";

    /** Elements whose line breaks mean something to what reads them. */
    private static final List<String> VERBATIM = List.of("script", "style", "svg", "math");

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
        List<String> preformatted = new ArrayList<>();
        String text = guard(withoutPreformatted(html + "\n", preformatted)
                .replace("\r\n", "\n")
                .replace('\r', '\n'));
        // Most texts have no tags: then there is nothing to keep apart but lines.
        text = text.indexOf('<') < 0
                ? replace(EMPTY, wrap(LINE_BREAKS.matcher(text).replaceAll("\n\n")), found -> "")
                : unwrap(wrap(spread(text)));
        text = breaks(text);
        text = replace("<br />", BREAK_AFTER_BLOCK, text, found -> found.group(1));
        text = replace("<br />", BREAK_BEFORE_BLOCK, text, found -> found.group(1));
        if (text.endsWith(LAST_BREAK)) {
            text = text.substring(0, text.length() - LAST_BREAK.length()) + "</p>\n";
        }
        return withPreformatted(release(text), preformatted);
    }

    /** Takes preformatted elements out, for nothing in them is to be touched. */
    private static String withoutPreformatted(String html, List<String> taken) {
        StringBuilder rest = new StringBuilder(html.length());
        int copied = 0;
        int close = html.indexOf("</pre>");
        int open = html.indexOf("<pre");
        while (open >= 0 && close >= 0) {
            int end = close + "</pre>".length();
            if (open < close) {
                rest.append(html, copied, open).append(marker(taken.size()));
                taken.add(html.substring(open, end));
                copied = end;
                open = html.indexOf("<pre", end);
            }
            close = html.indexOf("</pre>", end);
        }
        return rest.append(html, copied, html.length()).toString();
    }

    private static String withPreformatted(String html, List<String> taken) {
        if (taken.isEmpty()) {
            return html;
        }
        StringBuilder whole = new StringBuilder(html.length());
        int copied = 0;
        for (int number = 0; number < taken.size(); number++) {
            String marker = marker(number);
            int at = html.indexOf(marker, copied);
            if (at >= 0) {
                whole.append(html, copied, at).append(taken.get(number));
                copied = at + marker.length();
            }
        }
        return whole.append(html, copied, html.length()).toString();
    }

    private static String marker(int number) {
        return "<pre " + Placeholders.COMMENT + number + "></pre>";
    }

    /** Makes each tag and comment one piece that holds neither a bracket nor a line break. */
    private static String guard(String html) {
        StringBuilder guarded = new StringBuilder(html.length());
        int end;
        for (int at = 0; at < html.length(); at = end) {
            end = Markup.pieceEnd(html, at);
            if (html.charAt(at) != '<') {
                guarded.append(html, at, end);
                continue;
            }
            String close = html.startsWith("<!--", at) ? "-->" : ">";
            boolean isWhole = html.startsWith(close, end - close.length());
            guarded.append(isWhole ? '<' : LESS_THAN);
            for (int within = at + 1; within < (isWhole ? end - 1 : end); within++) {
                guarded.append(guard(html.charAt(within)));
            }
            guarded.append(isWhole ? ">" : "");
        }
        return guarded.toString();
    }

    private static char guard(char withinTag) {
        return switch (withinTag) {
            case '<' -> LESS_THAN;
            case '>' -> GREATER_THAN;
            case '\n' -> LINE_BREAK;
            default -> withinTag;
        };
    }

    private static String release(String text) {
        return text.replace(LESS_THAN, '<').replace(GREATER_THAN, '>').replace(LINE_BREAK, '\n');
    }

    /** Puts blank lines around everything that cannot be inside a paragraph. */
    private static String spread(String text) {
        String spread = replace("<br", TWO_BREAKS, text, found -> "\n\n");
        spread = replace(OPENS_BLOCK, spread, found -> "\n\n" + found.group());
        spread = replace(CLOSES_BLOCK, spread, found -> found.group() + "\n\n");
        spread = replace("<hr", RULE, spread, found -> found.group() + "\n\n");
        spread = withoutSpace(spread);
        return LINE_BREAKS.matcher(spread).replaceAll("\n\n");
    }

    /** Looks for a pattern only where the text holds what all that it finds have in common: most texts do not. */
    private static String replace(
            String needed, Pattern pattern, String text, Function<MatchResult, String> replacement) {
        return text.contains(needed) ? replace(pattern, text, replacement) : text;
    }

    /** Replaces what begins with a tag: it is looked for where one begins, and not at each letter. */
    private static String replace(Pattern tag, String text, Function<MatchResult, String> replacement) {
        Matcher found = tag.matcher(text);
        if (!find(found, text, 0)) {
            return text;
        }
        StringBuilder replaced = new StringBuilder(text.length() + 64);
        int copied = 0;
        do {
            replaced.append(text, copied, found.start()).append(replacement.apply(found));
            copied = found.end();
        } while (find(found, text, copied));
        return replaced.append(text, copied, text.length()).toString();
    }

    private static boolean find(Matcher tag, String text, int from) {
        for (int at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
            if (tag.region(at, text.length()).lookingAt()) {
                return true;
            }
        }
        return false;
    }

    private static String withoutSpace(String text) {
        Matcher before = NO_SPACE_BEFORE.matcher(text);
        Matcher after = NO_SPACE_AFTER.matcher(text);
        boolean foundBefore = find(before, text, 0);
        boolean foundAfter = find(after, text, 0);
        if (!foundBefore && !foundAfter) {
            return text;
        }
        StringBuilder close = new StringBuilder(text.length());
        int copied = 0;
        while (foundBefore || foundAfter) {
            if (foundBefore && (!foundAfter || before.start() <= after.start())) {
                int begin = Math.max(before.start(), copied);
                close.append(text, copied, begin);
                close.setLength(lastNonSpace(close) + 1);
                copied = begin;
                foundBefore = find(before, text, before.end());
            } else {
                int end = Math.max(after.end(), copied);
                close.append(text, copied, end);
                while (end < text.length() && isSpace(text.charAt(end))) {
                    end++;
                }
                copied = end;
                foundAfter = find(after, text, after.end());
            }
        }
        return close.append(text, copied, text.length()).toString();
    }

    private static int lastNonSpace(CharSequence text) {
        int last = text.length() - 1;
        while (last >= 0 && isSpace(text.charAt(last))) {
            last--;
        }
        return last;
    }

    private static boolean isSpace(char one) {
        return one == ' ' || (one >= '\t' && one <= '\r');
    }

    /** Makes a paragraph of everything between two blank lines. */
    private static String wrap(String text) {
        StringBuilder wrapped = new StringBuilder(text.length() + 64);
        int begin = 0;
        while (begin < text.length()) {
            int end = text.indexOf('\n', begin);
            int next = end < 0 ? text.length() : end;
            // A blank line is a line break, any space, and the last line break of that space.
            while (end >= 0) {
                int space = end;
                int last = end;
                while (space < text.length() && isSpace(text.charAt(space))) {
                    last = text.charAt(space) == '\n' ? space : last;
                    space++;
                }
                next = end;
                if (last > end) {
                    end = last + 1;
                    break;
                }
                end = text.indexOf('\n', space);
                next = end < 0 ? text.length() : end;
            }
            wrap(wrapped, text, begin, next);
            begin = end < 0 ? text.length() : end;
        }
        return wrapped.toString();
    }

    private static void wrap(StringBuilder wrapped, String text, int begin, int end) {
        int from = begin;
        int to = end;
        while (from < to && text.charAt(from) == '\n') {
            from++;
        }
        while (to > from && text.charAt(to - 1) == '\n') {
            to--;
        }
        if (end > begin) {
            wrapped.append("<p>").append(text, from, to).append("</p>\n");
        }
    }

    /** Takes away the paragraphs around what cannot be inside one. */
    private static String unwrap(String text) {
        String bare = replace(EMPTY, text, found -> "");
        bare = replace(UNCLOSED, bare, found -> "<p>" + found.group(1) + "</p></" + found.group(2) + ">");
        bare = replace(WRAPPED_BLOCK, bare, found -> found.group(1));
        bare = replace("<p><li", WRAPPED_ITEM, bare, found -> found.group(1));
        bare = replace(WRAPPED_QUOTATION, bare, found -> "<blockquote" + found.group(1) + "><p>");
        bare = bare.replace("</blockquote></p>", "</p></blockquote>");
        bare = replace(OPENED_BEFORE_BLOCK, bare, found -> found.group(1));
        return replace(CLOSED_AFTER_BLOCK, bare, found -> found.group(1));
    }

    /** Makes a break of every line break that is left, but for those where a break stands already. */
    private static String breaks(String text) {
        String kept = keepVerbatim(text).replace("<br>", "<br />").replace("<br/>", "<br />");
        StringBuilder broken = new StringBuilder(kept.length() + 64);
        int at = 0;
        while (at < kept.length()) {
            int begin = at;
            int lastBreak = -1;
            while (at < kept.length() && isSpace(kept.charAt(at))) {
                lastBreak = kept.charAt(at) == '\n' ? at : lastBreak;
                at++;
            }
            if (lastBreak >= 0) {
                int from = endsWithBreak(broken) ? begin + 1 : begin;
                broken.append(kept, begin, Math.min(from, lastBreak));
                broken.append(from <= lastBreak ? "<br />\n" : "\n");
                begin = lastBreak + 1;
            }
            while (at < kept.length() && !isSpace(kept.charAt(at))) {
                at++;
            }
            broken.append(kept, begin, at);
        }
        return broken.toString();
    }

    private static boolean endsWithBreak(StringBuilder text) {
        int begin = text.length() - "<br />".length();
        return begin >= 0 && text.indexOf("<br />", begin) == begin;
    }

    private static String keepVerbatim(String text) {
        String kept = text;
        for (String name : VERBATIM) {
            kept = keepVerbatim(kept, "<" + name, "</" + name + ">");
        }
        return kept;
    }

    private static String keepVerbatim(String text, String begins, String ends) {
        int open = text.indexOf(begins);
        if (open < 0) {
            return text;
        }
        StringBuilder kept = new StringBuilder(text.length());
        int copied = 0;
        while (open >= 0) {
            int close = text.indexOf(ends, open);
            if (close < 0) {
                break;
            }
            kept.append(text, copied, open).append(text.substring(open, close).replace('\n', LINE_BREAK));
            copied = close;
            open = text.indexOf(begins, close);
        }
        return kept.append(text, copied, text.length()).toString();
    }
}
