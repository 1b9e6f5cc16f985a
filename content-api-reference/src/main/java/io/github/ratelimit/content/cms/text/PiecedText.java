package io.github.ratelimit.content.cms.text;

import io.github.ratelimit.content.cms.text.PieceSteps.Step;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A text in pieces: tags, space, and what is between them. A piece is a place in the text and what stands there, as one number, so that nothing is
 * copied. Belongs to one thread.
 */
class PiecedText {
    /** What a piece is; several may be true. */
    static final int SPACE = 1;

    /** Space with a line break in it. */
    static final int LINES = 1 << 1;

    static final int TAG = 1 << 2;
    /** A tag that can be no part of a paragraph, or one with a name that only begins like that. */
    static final int BLOCK = 1 << 3;

    static final int BEGINS_BLOCK = 1 << 4;
    /** A quotation that is to be written in small letters. */
    static final int SMALL = 1 << 5;

    private static final int KIND_BITS = 6;
    private static final int LENGTH_BITS = 29;

    /** No piece at all: all have a length. */
    static final long NONE = 0;

    /** What is put into a text stands behind it, so that every piece is a place. */
    private static final String ADDED = "\n\n<p></p><br />";

    /** Elements that are no part of a paragraph, by their first letter: most tags are none of them after one look. */
    private static final String[][] BLOCKS = new String[128][0];

    static {
        String names =
                "p pre div dl dd dt details li legend ul ol table thead tfoot tbody tr td th caption col colgroup"
                        + " h1 h2 h3 h4 h5 h6 hr hgroup header nav section style summary blockquote map menu"
                        + " form fieldset footer figure figcaption area address article aside";
        Stream.of(names.split(" "))
                .collect(Collectors.groupingBy(name -> name.charAt(0)))
                .forEach((letter, all) -> BLOCKS[letter] = all.toArray(String[]::new));
    }

    final String text;
    final int end;
    final long blankLine;
    final long newLine;
    final long opening;
    final long closing;
    final long lineBreak;

    PiecedText(String html) {
        text = withPlainBreaks(html + "\n" + ADDED);
        end = text.length() - ADDED.length();
        blankLine = piece(end, end + 2, SPACE | LINES);
        newLine = piece(end, end + 1, SPACE | LINES);
        opening = piece(end + 2, end + 5, TAG | BLOCK);
        closing = piece(end + 5, end + 9, TAG | BLOCK);
        lineBreak = piece(end + 9, end + 15, TAG);
    }

    /** Line breaks of one kind, but in preformatted elements. */
    private static String withPlainBreaks(String html) {
        if (html.indexOf('\r') < 0) {
            return html;
        }
        StringBuilder plain = new StringBuilder(html.length());
        Preformatted kept = new Preformatted(html);
        int at = 0;
        while (at < html.length()) {
            int until = kept.begin < 0 ? html.length() : kept.begin;
            plain.append(html.substring(at, until).replace("\r\n", "\n").replace('\r', '\n'));
            at = until;
            if (kept.begin >= 0) {
                plain.append(html, at, kept.end);
                at = kept.end;
                kept.next();
            }
        }
        return plain.toString();
    }

    /** The preformatted elements of a text, one after the other. Nothing in them is touched. */
    private static final class Preformatted {
        private static final String CLOSE = "</pre>";

        private final String html;
        private int open;
        private int close;
        /** The first one, and where it ends; -1 if there is none any more. */
        int begin;

        int end;

        Preformatted(String html) {
            this.html = html;
            open = html.indexOf("<pre");
            close = open < 0 ? -1 : html.indexOf(CLOSE);
            next();
        }

        void next() {
            begin = -1;
            while (open >= 0 && close >= 0 && begin < 0) {
                end = close + CLOSE.length();
                if (open < close) {
                    begin = open;
                    open = html.indexOf("<pre", end);
                }
                close = html.indexOf(CLOSE, end);
            }
        }

        /** Where the tag that begins this element ends, as others see it: before the one that closes it. */
        int tagEnd() {
            return end - CLOSE.length();
        }
    }

    /** Parts the text, up to its last piece, or as long as that is wanted. */
    void passTo(Step step, BooleanSupplier goesOn) {
        Preformatted kept = new Preformatted(text);
        int at = 0;
        while (at < end && goesOn.getAsBoolean()) {
            int begin = at;
            if (text.charAt(at) == '<') {
                boolean isPreformatted = begin == kept.begin;
                at = tagEnd(begin, kept);
                step.take(
                        at < 0
                                ? piece(begin, end, 0)
                                : piece(begin, at, isPreformatted ? TAG | BLOCK | BEGINS_BLOCK : kind(begin, at)));
                at = at < 0 ? end : at;
            } else {
                int open = text.indexOf('<', at);
                at = open < 0 || open > end ? end : open;
                passText(begin, at, step);
            }
        }
        step.finish();
    }

    /** Finds the place behind a tag or a comment, which may hold preformatted elements; -1 if nothing closes it. */
    private int tagEnd(int begin, Preformatted kept) {
        boolean isComment = text.startsWith("<!--", begin);
        int close = isComment ? text.indexOf("-->", begin + 2) : text.indexOf('>', begin + 1);
        while (kept.begin >= 0 && kept.begin < close) {
            int tagEnd = kept.tagEnd();
            int elementEnd = kept.end;
            kept.next();
            if (!isComment) {
                return tagEnd;
            }
            if (close < elementEnd) {
                close = text.indexOf("-->", elementEnd);
            }
        }
        return close < 0 || close >= end ? -1 : close + (isComment ? 3 : 1);
    }

    /** Space is a piece of its own where a line ends in it, and beside tags. */
    private void passText(int begin, int until, Step step) {
        int at = begin;
        while (at < until) {
            int from = at;
            int lines = 0;
            while (at < until && isSpace(text.charAt(at))) {
                lines = text.charAt(at) == '\n' ? LINES : lines;
                at++;
            }
            pass(from, at, SPACE | lines, step);
            from = at;
            // Not by what looks through all of the text, for each of its pieces.
            while (at < until && text.charAt(at) != '\n') {
                at++;
            }
            while (at > from && isSpace(text.charAt(at - 1))) {
                at--;
            }
            pass(from, at, 0, step);
        }
    }

    private static void pass(int begin, int end, int kind, Step step) {
        if (begin < end) {
            step.take(piece(begin, end, kind));
        }
    }

    private int kind(int begin, int tagEnd) {
        int kind = TAG;
        int name = text.charAt(begin + 1) == '/' ? begin + 2 : begin + 1;
        for (String block : blocks(name)) {
            if (text.startsWith(block, name)) {
                char next = text.charAt(name + block.length());
                boolean isWhole = isSpace(next) || next == '/' || name + block.length() == tagEnd - 1;
                kind |= BLOCK | (isWhole && name == begin + 1 ? BEGINS_BLOCK : 0);
            }
        }
        return kind;
    }

    String[] blocks(int name) {
        return BLOCKS[Math.min(text.charAt(name), BLOCKS.length - 1)];
    }

    static long piece(int begin, int end, int kind) {
        return ((long) begin << (KIND_BITS + LENGTH_BITS)) | ((long) (end - begin) << KIND_BITS) | kind;
    }

    static int begin(long piece) {
        return (int) (piece >>> (KIND_BITS + LENGTH_BITS));
    }

    static int length(long piece) {
        return (int) (piece >>> KIND_BITS) & ((1 << LENGTH_BITS) - 1);
    }

    static int end(long piece) {
        return begin(piece) + length(piece);
    }

    private static boolean isSpace(char one) {
        return one == ' ' || (one >= '\t' && one <= '\r');
    }

    static boolean is(long piece, int kind) {
        return (piece & kind) != 0;
    }

    boolean is(long piece, String tag) {
        return length(piece) == tag.length() && begins(piece, tag);
    }

    boolean begins(long piece, String beginning) {
        return is(piece, TAG) && text.startsWith(beginning, begin(piece));
    }

    boolean isBlock(long piece) {
        return is(piece, BLOCK);
    }

    boolean isOpening(long piece) {
        return is(piece, "<p>");
    }

    boolean isClosing(long piece) {
        return is(piece, "</p>");
    }

    boolean isLineBreak(long piece) {
        return is(piece, "<br />");
    }

    /** An element without attributes, closed in itself or not. */
    boolean isEmptyElement(long piece, String beginning) {
        if (!begins(piece, beginning)) {
            return false;
        }
        int at = begin(piece) + beginning.length();
        while (text.charAt(at) != '\n' && isSpace(text.charAt(at))) {
            at++;
        }
        return at + (text.charAt(at) == '/' ? 2 : 1) == end(piece);
    }

    /** A part of space, which may have no line break any more; nothing of no length. */
    long part(long space, int begin, int until) {
        if (begin >= until) {
            return NONE;
        }
        int line = is(space, LINES) ? text.indexOf('\n', begin) : -1;
        return piece(begin, until, SPACE | (line >= 0 && line < until ? LINES : 0));
    }

    int lastLine(long space) {
        return text.lastIndexOf('\n', end(space) - 1);
    }

    boolean beginsWithAny(int at, String[] beginnings) {
        for (String beginning : beginnings) {
            if (text.startsWith(beginning, at)) {
                return true;
            }
        }
        return false;
    }
}
