package io.github.ratelimit.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** A window ends while two threads decide. */
public final class WindowTurns {

    private WindowTurns() {}

    /** One permit is left of a window of two, and the next window has two: three at most, and the next window's two at least. */
    @JCStressTest
    @Outcome(id = "2, 1", expect = ACCEPTABLE, desc = "the last of the old window, and both of the new one")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "the same, shared")
    @Outcome(
            id = {"2, 0", "1, 1", "0, 2"},
            expect = ACCEPTABLE,
            desc = "all four asked after the turn: both of the new window")
    @Outcome(id = "2, 2", expect = FORBIDDEN, desc = "more than the old window had left and the new one grants")
    @Outcome(
            id = {"0, 0", "1, 0", "0, 1"},
            expect = FORBIDDEN,
            desc = "permits of the new window were lost")
    @Outcome(expect = FORBIDDEN, desc = "no such count can be")
    @State
    public static class OneLimit extends Raced {

        private static final Charge CHARGE = charge("limiter", 2);

        /** Uses one of two and waits for the end. */
        public OneLimit() {
            take(CHARGE);
            approachEnd();
        }

        @Actor
        public void turn(II_Result result) {
            endWindow();
            result.r1 = takeEach(2, CHARGE);
        }

        @Actor
        public void take(II_Result result) {
            result.r2 = takeEach(2, CHARGE);
        }
    }

    /** The same permit of two limiters, asked for in opposite orders: one gets both, and nobody waits for ever. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "one of them")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "two full budgets of one window")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "each kept the other from it")
    @Outcome(expect = FORBIDDEN, desc = "no such count can be")
    @State
    public static class TwoLimiters extends Raced {

        private static final Charge FIRST = charge("first", 1);
        private static final Charge SECOND = charge("second", 1);

        /** Uses both up and waits for the end. */
        public TwoLimiters() {
            take(FIRST, SECOND);
            approachEnd();
        }

        @Actor
        public void turn(II_Result result) {
            endWindow();
            result.r1 = take(FIRST, SECOND).allowed() ? 1 : 0;
        }

        @Actor
        public void take(II_Result result) {
            result.r2 = take(SECOND, FIRST).allowed() ? 1 : 0;
        }
    }

    /** Two threads open the window of a key that nobody has seen. */
    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "one of them")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "two counters of one key")
    @Outcome(expect = FORBIDDEN, desc = "no such count can be")
    @State
    public static class FreshKey extends Raced {

        private static final Charge CHARGE = charge("limiter", 1);

        @Actor
        public void one(II_Result result) {
            result.r1 = takeEach(1, CHARGE);
        }

        @Actor
        public void other(II_Result result) {
            result.r2 = takeEach(1, CHARGE);
        }
    }

    /** What was taken from a window is given back while the window ends. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the new window has lost what was taken from it, and got nothing back")
    @Outcome(id = "2", expect = FORBIDDEN, desc = "a refund reached a later window")
    @Outcome(expect = FORBIDDEN, desc = "no such count can be")
    @State
    public static class Refund extends Raced {

        private static final Charge CHARGE = charge("limiter", 2);

        private final Decision decision;

        /** Takes what is given back. */
        public Refund() {
            decision = take(CHARGE);
            approachEnd();
        }

        @Actor
        public void turn() {
            endWindow();
            take(CHARGE);
        }

        @Actor
        public void refund() {
            refund(decision);
        }

        @Arbiter
        public void look(I_Result result) {
            result.r1 = remaining(CHARGE);
        }
    }
}
