package io.github.ratelimit.content.cms.text;

import io.github.ratelimit.content.cms.text.PieceSteps.Pair;
import io.github.ratelimit.content.cms.text.PieceSteps.Pieces;
import io.github.ratelimit.content.cms.text.PieceSteps.Step;
import java.util.stream.Stream;

/**
 * Paragraphs for text that has blank lines instead, and line breaks for its single ones.
 *
 * <p>HTML may stand in the text: elements that are no part of a paragraph end one, and paragraphs that are marked already
 * stay as they are. The text is read once, in pieces: tags, space, and what is between them. Each piece goes through all steps before the
 * next one is read, and a step holds no more than what it has to know; so nothing is copied but into the result.
 */
final class Paragraphs extends PiecedText {
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

    private final StringBuilder made;

    private Paragraphs(String html) {
        super(html);
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
        passTo(step, () -> made.length() <= Rendering.LONGEST);
        return made.toString();
    }

    private boolean breaksLine(long piece) {
        return isEmptyElement(piece, "<br");
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
                passTo(new Closes(lastCloses), () -> true);
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
