package io.github.ratelimit.content.cms.text;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Paragraphs for text that has blank lines instead, and line breaks for its single ones.
 *
 * <p>HTML may stand in the text: elements that are no part of a paragraph end one, and paragraphs that are marked already
 * stay as they are. The text is read once, in pieces: tags, space, and what is between them. Each piece goes through all steps before the
 * next one is read, and a step holds no more than what it has to know; so nothing is copied but into the result.
 */
final class Paragraphs {
    /** What a piece is; several may be true. */
    private static final int SPACE = 1;

    /** Space with a line break in it. */
    private static final int LINES = 1 << 1;

    private static final int TAG = 1 << 2;
    /** A tag that can be no part of a paragraph, or one with a name that only begins like that. */
    private static final int BLOCK = 1 << 3;

    private static final int BEGINS_BLOCK = 1 << 4;
    /** A quotation that is to be written in small letters. */
    private static final int SMALL = 1 << 5;

    private static final int KIND_BITS = 6;
    private static final int LENGTH_BITS = 29;

    /** No piece at all: all have a length. */
    private static final long NONE = 0;

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

    private static final String[] ON_A_LINE = {"p", "li", "div", "dl", "dd", "dt", "th", "td", "ul", "ol"};

    private static final String[] NO_SPACE_BEFORE = {
        "<option",
        "</object>",
        "<param",
        "</param",
        "<embed",
        "</embed",
        "</audio>",
        "</video>",
        "<source",
        "<track",
        "<figcaption"
    };

    private static final String[] NO_SPACE_BEHIND = {
        "<object", "<param", "</param", "<embed", "</embed", "<audio", "<video", "<source", "<track"
    };

    private static final String QUOTATION = "<blockquote";

    /** Elements whose line breaks mean something to what reads them. */
    private static final String[] VERBATIM = {"<script", "<style", "<svg", "<math"};

    private static final String[] VERBATIM_ENDS = {"</script>", "</style>", "</svg>", "</math>"};

    private final String text;
    private final int end;
    private final StringBuilder made;
    private final long blankLine;
    private final long newLine;
    private final long opening;
    private final long closing;
    private final long lineBreak;

    private Paragraphs(String html) {
        text = withPlainBreaks(html + "\n" + ADDED);
        end = text.length() - ADDED.length();
        blankLine = piece(end, end + 2, SPACE | LINES);
        newLine = piece(end, end + 1, SPACE | LINES);
        opening = piece(end + 2, end + 5, TAG | BLOCK);
        closing = piece(end + 5, end + 9, TAG | BLOCK);
        lineBreak = piece(end + 9, end + 15, TAG);
        made = new StringBuilder(html.length() + html.length() / 16 + 64);
    }

    /**
     * Makes paragraphs.
     *
     * @param html text without placeholders, with or without HTML
     * @return HTML that ends with a line break, or nothing where there is only space; what becomes longer than {@link Rendering#LONGEST} ends
     *     somewhere behind that
     */
    static String of(String html) {
        return html.isBlank() ? "" : new Paragraphs(html).made();
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

    private String made() {
        Step step = new Written();
        step = new Pair(step, this::isLineBreak, true, this::standsOnALine, (first, space, last, out) -> {
            space.passTo(out);
            out.take(last);
        });
        step = new Pair(step, this::isBlock, true, this::isLineBreak, (first, space, last, out) -> out.take(first));
        step = new Breaks(step);
        boolean hasTags = text.lastIndexOf('<', end) >= 0;
        if (hasTags) {
            step = new Pair(step, this::isBlock, true, this::isClosing, (first, space, last, out) -> out.take(first));
            step = new Pair(step, this::isOpening, true, this::isBlock, (first, space, last, out) -> out.take(last));
            step = new Pair(step, this::endsQuotation, false, this::isClosing, (first, space, last, out) -> {
                out.take(last);
                out.take(first);
            });
            step = new Pair(step, this::opensInAnyCase, false, this::beginsQuotation, (first, space, last, out) -> {
                out.take(last | BLOCK | SMALL);
                out.take(opening);
            });
            step = new WrappedItem(step);
            step = new WrappedBlock(step);
            step = new Unclosed(step);
        }
        step = new Pair(step, this::isOpening, true, this::isClosing, (first, space, last, out) -> {});
        step = new Parts(step);
        if (hasTags) {
            step = new Pair(
                    step, this::breaksLine, true, this::breaksLine, (first, space, last, out) -> out.take(blankLine));
        }
        passTo(step);
        return made.toString();
    }

    /** Parts the text, up to its last piece. */
    private void passTo(Step step) {
        Preformatted kept = new Preformatted(text);
        int at = 0;
        while (at < end && made.length() <= Rendering.LONGEST) {
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
            int line = text.indexOf('\n', at);
            at = line < 0 || line > until ? until : line;
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

    private String[] blocks(int name) {
        return BLOCKS[Math.min(text.charAt(name), BLOCKS.length - 1)];
    }

    private static long piece(int begin, int end, int kind) {
        return ((long) begin << (KIND_BITS + LENGTH_BITS)) | ((long) (end - begin) << KIND_BITS) | kind;
    }

    private static int begin(long piece) {
        return (int) (piece >>> (KIND_BITS + LENGTH_BITS));
    }

    private static int length(long piece) {
        return (int) (piece >>> KIND_BITS) & ((1 << LENGTH_BITS) - 1);
    }

    private static int end(long piece) {
        return begin(piece) + length(piece);
    }

    private static boolean isSpace(char one) {
        return one == ' ' || (one >= '\t' && one <= '\r');
    }

    private static boolean is(long piece, int kind) {
        return (piece & kind) != 0;
    }

    private boolean is(long piece, String tag) {
        return length(piece) == tag.length() && begins(piece, tag);
    }

    private boolean begins(long piece, String beginning) {
        return is(piece, TAG) && text.startsWith(beginning, begin(piece));
    }

    private boolean isBlock(long piece) {
        return is(piece, BLOCK);
    }

    private boolean isOpening(long piece) {
        return is(piece, "<p>");
    }

    private boolean isClosing(long piece) {
        return is(piece, "</p>");
    }

    private boolean isLineBreak(long piece) {
        return is(piece, "<br />");
    }

    private boolean breaksLine(long piece) {
        return isEmptyElement(piece, "<br");
    }

    /** An element without attributes, closed in itself or not. */
    private boolean isEmptyElement(long piece, String beginning) {
        if (!begins(piece, beginning)) {
            return false;
        }
        int at = begin(piece) + beginning.length();
        while (text.charAt(at) != '\n' && isSpace(text.charAt(at))) {
            at++;
        }
        return at + (text.charAt(at) == '/' ? 2 : 1) == end(piece);
    }

    /** Says whether a tag is one that no line break of ours stands before, or one with a name that only begins like that. */
    private boolean standsOnALine(long piece) {
        if (!is(piece, BLOCK)) {
            return false;
        }
        int name = begin(piece) + (text.charAt(begin(piece) + 1) == '/' ? 2 : 1);
        return beginsWithAny(name, ON_A_LINE);
    }

    private boolean endsQuotation(long piece) {
        return is(piece, "</blockquote>");
    }

    private boolean opensInAnyCase(long piece) {
        return is(piece, TAG) && length(piece) == 3 && beginsInAnyCase(piece, "<p>");
    }

    private boolean beginsQuotation(long piece) {
        return is(piece, TAG) && beginsInAnyCase(piece, QUOTATION);
    }

    private boolean beginsInAnyCase(long piece, String beginning) {
        for (int at = 0; at < beginning.length(); at++) {
            char one = text.charAt(begin(piece) + at);
            if (one != beginning.charAt(at) && (one < 'A' || one > 'Z' || one + ' ' != beginning.charAt(at))) {
                return false;
            }
        }
        return true;
    }

    /** Pieces that a step holds until it knows what becomes of them. */
    private static final class Pieces {
        private long[] held = new long[4];
        private int count;

        void add(long piece) {
            held = count < held.length ? held : Arrays.copyOf(held, count * 2);
            held[count++] = piece;
        }

        void takeFrom(Pieces other) {
            for (int at = 0; at < other.count; at++) {
                add(other.held[at]);
            }
            other.count = 0;
        }

        void passTo(Step out) {
            passFrom(0, out);
        }

        void passFrom(int first, Step out) {
            for (int at = first; at < count; at++) {
                out.take(held[at]);
            }
            count = 0;
        }
    }

    /** What looks at all pieces, one after the other, and passes on what becomes of them. */
    private abstract static class Step {
        abstract void take(long piece);

        /** Says that no piece follows. */
        abstract void finish();
    }

    private interface Rewriting {
        void pass(long first, Pieces space, long last, Step out);
    }

    /** Writes two tags that follow each other in another way. */
    private static final class Pair extends Step {
        private final Step out;
        private final LongPredicate isFirst;
        private final boolean maySpaceStandBetween;
        private final LongPredicate isLast;
        private final Rewriting rewriting;
        private final Pieces space = new Pieces();
        private long first = NONE;

        Pair(Step out, LongPredicate isFirst, boolean maySpaceStandBetween, LongPredicate isLast, Rewriting rewriting) {
            this.out = out;
            this.isFirst = isFirst;
            this.maySpaceStandBetween = maySpaceStandBetween;
            this.isLast = isLast;
            this.rewriting = rewriting;
        }

        @Override
        void take(long piece) {
            if (first != NONE && maySpaceStandBetween && is(piece, SPACE)) {
                space.add(piece);
            } else if (first != NONE && isLast.test(piece)) {
                rewriting.pass(first, space, piece, out);
                space.count = 0;
                first = NONE;
            } else {
                release();
                if (isFirst.test(piece)) {
                    first = piece;
                } else {
                    out.take(piece);
                }
            }
        }

        private void release() {
            if (first != NONE) {
                out.take(first);
                space.passTo(out);
                first = NONE;
            }
        }

        @Override
        void finish() {
            release();
            out.finish();
        }
    }

    /** Makes a paragraph of everything between two blank lines, and blank lines around what cannot be inside one. */
    private final class Parts extends Step {
        private final Step out;
        private boolean isOpen;
        private boolean isSpaceLost;
        /** The space since the last other piece: what stands before its first line break and behind its last one. */
        private long space = NONE;

        private long before = NONE;
        private long behind = NONE;
        private boolean isBlankLine;

        Parts(Step out) {
            this.out = out;
        }

        @Override
        void take(long piece) {
            if (is(piece, SPACE)) {
                addSpace(piece);
                return;
            }
            if (is(piece, BEGINS_BLOCK)) {
                addSpace(blankLine);
            }
            if (hasNoSpaceBefore(piece)) {
                forgetSpace();
            }
            passSpace();
            open();
            out.take(piece);
            isSpaceLost = hasNoSpaceBehind(piece);
            if (endsBlock(piece) || isEmptyElement(piece, "<hr")) {
                addSpace(blankLine);
            }
        }

        private void addSpace(long piece) {
            if (isSpaceLost) {
                return;
            }
            int begin = begin(piece);
            int line = is(piece, LINES) ? text.indexOf('\n', begin) : end(piece);
            if (space == NONE) {
                before = part(piece, begin, line);
            }
            isBlankLine |= is(piece, LINES) && lastLine(piece) > line;
            behind = is(piece, LINES) ? part(piece, lastLine(piece) + 1, end(piece)) : piece;
            space = piece;
        }

        private void forgetSpace() {
            space = NONE;
            before = NONE;
            behind = NONE;
            isBlankLine = false;
        }

        private void passSpace() {
            if (isBlankLine) {
                passWithin(before);
                close();
                passWithin(behind);
            } else if (space != NONE) {
                passWithin(isOpen ? space : withoutLine(space));
            }
            forgetSpace();
        }

        private void passWithin(long piece) {
            if (piece != NONE) {
                open();
                out.take(piece);
            }
        }

        /** A text or a paragraph neither begins nor ends with a line break. */
        private long withoutLine(long piece) {
            int begin = begin(piece) + (text.charAt(begin(piece)) == '\n' ? 1 : 0);
            return part(piece, begin, Math.max(begin, end(piece)));
        }

        private void open() {
            if (!isOpen) {
                out.take(opening);
                isOpen = true;
            }
        }

        private void close() {
            if (isOpen) {
                out.take(closing);
                out.take(newLine);
                isOpen = false;
            }
        }

        @Override
        void finish() {
            if (space != NONE && !isBlankLine) {
                open();
                int last = end(space) - (text.charAt(end(space) - 1) == '\n' ? 1 : 0);
                space = part(space, begin(space), last);
            }
            passSpace();
            close();
            out.finish();
        }
    }

    /** A part of space, which may have no line break any more; nothing of no length. */
    private long part(long space, int begin, int until) {
        if (begin >= until) {
            return NONE;
        }
        int line = is(space, LINES) ? text.indexOf('\n', begin) : -1;
        return piece(begin, until, SPACE | (line >= 0 && line < until ? LINES : 0));
    }

    private int lastLine(long space) {
        return text.lastIndexOf('\n', end(space) - 1);
    }

    private boolean endsBlock(long piece) {
        int name = begin(piece) + 2;
        boolean ends = false;
        if (is(piece, BLOCK) && text.charAt(name - 1) == '/') {
            for (String block : blocks(name)) {
                ends |= length(piece) == block.length() + 3 && text.startsWith(block, name);
            }
        }
        return ends;
    }

    /** Tags that take no part in paragraphs; space before or after them is no text either. */
    private boolean hasNoSpaceBefore(long piece) {
        return is(piece, TAG) && beginsWithAny(begin(piece), NO_SPACE_BEFORE);
    }

    private boolean hasNoSpaceBehind(long piece) {
        return is(piece, TAG)
                && (is(piece, "</option>")
                        || is(piece, "</figcaption>")
                        || beginsWithAny(begin(piece), NO_SPACE_BEHIND));
    }

    private boolean beginsWithAny(int at, String[] beginnings) {
        for (String beginning : beginnings) {
            if (text.startsWith(beginning, at)) {
                return true;
            }
        }
        return false;
    }

    /** Closes a paragraph before the element around it. */
    private final class Unclosed extends Step {
        private final Step out;
        private boolean isOpen;
        private boolean hasText;

        Unclosed(Step out) {
            this.out = out;
        }

        @Override
        void take(long piece) {
            if (is(piece, TAG)) {
                if (hasText && (is(piece, "</div>") || is(piece, "</address>") || is(piece, "</form>"))) {
                    out.take(closing);
                }
                isOpen = isOpening(piece);
                hasText = false;
            } else {
                hasText = isOpen;
            }
            out.take(piece);
        }

        @Override
        void finish() {
            out.finish();
        }
    }

    /** Takes the paragraph away around a single tag. */
    private final class WrappedBlock extends Step {
        private final Step out;
        private final Pieces spaceBefore = new Pieces();
        private final Pieces spaceBehind = new Pieces();
        private long open = NONE;
        private long block = NONE;

        WrappedBlock(Step out) {
            this.out = out;
        }

        @Override
        void take(long piece) {
            if (open != NONE && is(piece, SPACE)) {
                (block == NONE ? spaceBefore : spaceBehind).add(piece);
            } else if (open != NONE && block == NONE && is(piece, BLOCK)) {
                block = piece;
            } else if (block != NONE && isClosing(piece)) {
                out.take(block);
                spaceBefore.count = 0;
                spaceBehind.count = 0;
                open = NONE;
                block = NONE;
            } else if (block != NONE && isOpening(block)) {
                // The first of two beginnings is alone; the second one may still be around what follows.
                long second = block;
                block = NONE;
                release();
                open = second;
                spaceBefore.takeFrom(spaceBehind);
                take(piece);
            } else {
                release();
                if (isOpening(piece)) {
                    open = piece;
                } else {
                    out.take(piece);
                }
            }
        }

        private void release() {
            if (open != NONE) {
                out.take(open);
                spaceBefore.passTo(out);
            }
            if (block != NONE) {
                out.take(block);
                spaceBehind.passTo(out);
            }
            open = NONE;
            block = NONE;
        }

        @Override
        void finish() {
            release();
            out.finish();
        }
    }

    /** Takes the paragraph away around items of a list, as far as its line goes. */
    private final class WrappedItem extends Step {
        private final Step out;
        private final Pieces line = new Pieces();

        WrappedItem(Step out) {
            this.out = out;
        }

        @Override
        void take(long piece) {
            if (line.count > 1 && isClosing(piece)) {
                line.passFrom(1, out);
            } else if (line.count > 1 ? !is(piece, LINES) : line.count == 1 && begins(piece, "<li")) {
                line.add(piece);
            } else {
                line.passTo(out);
                if (isOpening(piece)) {
                    line.add(piece);
                } else {
                    out.take(piece);
                }
            }
        }

        @Override
        void finish() {
            line.passTo(out);
            out.finish();
        }
    }

    /** Makes a break of every line break that is left, but for those where a break stands already. */
    private final class Breaks extends Step {
        private final Step out;
        private final int[] lastCloses = new int[VERBATIM.length];
        private final boolean[] isVerbatim = new boolean[VERBATIM.length];
        private final Pieces space = new Pieces();
        private boolean isBehindBreak;

        Breaks(Step out) {
            this.out = out;
            if (Stream.of(VERBATIM).anyMatch(text::contains)) {
                passTo(new Closes(lastCloses));
            }
        }

        @Override
        void take(long piece) {
            if (is(piece, SPACE)) {
                if (isVerbatim()) {
                    out.take(is(piece, LINES) ? piece & ~(SPACE | LINES) : piece);
                } else {
                    space.add(piece);
                }
                return;
            }
            passSpace();
            isBehindBreak = is(piece, "<br>") || is(piece, "<br/>") || isLineBreak(piece);
            if (is(piece, TAG)) {
                enterOrLeave(piece);
            }
            out.take(isBehindBreak ? lineBreak : piece);
        }

        private boolean isVerbatim() {
            for (boolean each : isVerbatim) {
                if (each) {
                    return true;
                }
            }
            return false;
        }

        private void enterOrLeave(long tag) {
            char letter = text.charAt(begin(tag) + 1);
            if (letter != 's' && letter != 'm' && letter != '/') {
                return;
            }
            for (int at = 0; at < VERBATIM.length; at++) {
                isVerbatim[at] = isVerbatim[at]
                        ? !is(tag, VERBATIM_ENDS[at])
                        : begins(tag, VERBATIM[at]) && begin(tag) < lastCloses[at];
            }
        }

        private void passSpace() {
            int last = space.count - 1;
            while (last >= 0 && !is(space.held[last], LINES)) {
                last--;
            }
            if (last >= 0) {
                long first = space.held[0];
                long ended = space.held[last];
                boolean isFirstCharacter = last == 0 && lastLine(ended) == begin(ended);
                if (isBehindBreak && !isFirstCharacter) {
                    out.take(part(first, begin(first), begin(first) + 1));
                }
                if (!isBehindBreak || !isFirstCharacter) {
                    out.take(lineBreak);
                }
                out.take(newLine);
                long rest = part(ended, lastLine(ended) + 1, end(ended));
                if (rest != NONE) {
                    out.take(rest);
                }
            }
            space.passFrom(last + 1, out);
        }

        @Override
        void finish() {
            passSpace();
            out.finish();
        }
    }

    /** Finds where the elements end whose line breaks stay. */
    private final class Closes extends Step {
        private final int[] last;

        Closes(int[] last) {
            this.last = last;
        }

        @Override
        void take(long piece) {
            if (is(piece, TAG) && text.charAt(begin(piece) + 1) == '/') {
                for (int at = 0; at < VERBATIM.length; at++) {
                    last[at] = is(piece, VERBATIM_ENDS[at]) ? begin(piece) : last[at];
                }
            }
        }

        @Override
        void finish() {}
    }

    /** Puts the pieces together. */
    private final class Written extends Step {
        private boolean isBehindLine;
        /** Where a line break stands before the end of a paragraph; the last paragraph has none there. */
        private int lineBeforeEnd = -1;

        @Override
        void take(long piece) {
            boolean isClosingBehindLine = isBehindLine && isClosing(piece);
            if (isClosingBehindLine) {
                lineBeforeEnd = made.length() - 1;
            }
            if (is(piece, SMALL)) {
                made.append(QUOTATION).append(text, begin(piece) + QUOTATION.length(), end(piece));
            } else {
                made.append(text, begin(piece), end(piece));
            }
            isBehindLine = is(piece, LINES) && made.charAt(made.length() - 1) == '\n';
        }

        @Override
        void finish() {
            if (lineBeforeEnd >= 0 && isBehindLine && lineBeforeEnd + "\n</p>\n".length() == made.length()) {
                made.deleteCharAt(lineBeforeEnd);
            }
        }
    }
}
