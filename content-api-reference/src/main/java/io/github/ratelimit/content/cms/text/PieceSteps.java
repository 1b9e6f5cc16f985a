package io.github.ratelimit.content.cms.text;

import java.util.Arrays;
import java.util.function.LongPredicate;

/** What looks at the pieces of a {@link PiecedText}, and what it holds meanwhile. */
final class PieceSteps {
    private PieceSteps() {}

    /** Pieces that a step holds until it knows what becomes of them. */
    static final class Pieces {
        long[] held = new long[4];
        int count;

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
    abstract static class Step {
        abstract void take(long piece);

        /** Says that no piece follows. */
        abstract void finish();
    }

    interface Rewriting {
        void pass(long first, Pieces space, long last, Step out);
    }

    /** Writes two tags that follow each other in another way. */
    static final class Pair extends Step {
        private final Step out;
        private final LongPredicate isFirst;
        private final boolean maySpaceStandBetween;
        private final LongPredicate isLast;
        private final Rewriting rewriting;
        private final Pieces space = new Pieces();
        private long first = PiecedText.NONE;

        Pair(Step out, LongPredicate isFirst, boolean maySpaceStandBetween, LongPredicate isLast, Rewriting rewriting) {
            this.out = out;
            this.isFirst = isFirst;
            this.maySpaceStandBetween = maySpaceStandBetween;
            this.isLast = isLast;
            this.rewriting = rewriting;
        }

        @Override
        void take(long piece) {
            if (first != PiecedText.NONE && maySpaceStandBetween && PiecedText.is(piece, PiecedText.SPACE)) {
                space.add(piece);
            } else if (first != PiecedText.NONE && isLast.test(piece)) {
                rewriting.pass(first, space, piece, out);
                space.count = 0;
                first = PiecedText.NONE;
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
            if (first != PiecedText.NONE) {
                out.take(first);
                space.passTo(out);
                first = PiecedText.NONE;
            }
        }

        @Override
        void finish() {
            release();
            out.finish();
        }
    }
}
