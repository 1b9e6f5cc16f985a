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

/** Permits are given back, or counts forgotten, while another thread takes. The clock stands still. */
public final class RefundsAndResets {

    private RefundsAndResets() {}

    /** The only permit is given back while another asks for it. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "given back, then taken")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "rejected, then given back")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "a grant was not counted")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "a refund was lost")
    @Outcome(expect = FORBIDDEN, desc = "no such count can be")
    @State
    public static class TakeOrRefund extends Raced {

        private static final Charge CHARGE = charge("limiter", 1);

        private final Decision decision = take(CHARGE);

        @Actor
        public void take(II_Result result) {
            result.r1 = takeEach(1, CHARGE);
        }

        @Actor
        public void refund() {
            refund(decision);
        }

        @Arbiter
        public void look(II_Result result) {
            result.r2 = remaining(CHARGE);
        }
    }

    /** One decision is given back by two threads. */
    @JCStressTest
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "given back once")
    @Outcome(id = "3", expect = FORBIDDEN, desc = "given back twice")
    @Outcome(expect = FORBIDDEN, desc = "no such count can be")
    @State
    public static class RefundTwice extends Raced {

        private static final Charge CHARGE = charge("limiter", 3);

        private final Decision decision = take(CHARGE);

        /** Takes another, that is not given back. */
        public RefundTwice() {
            take(CHARGE);
        }

        @Actor
        public void one() {
            refund(decision);
        }

        @Actor
        public void other() {
            refund(decision);
        }

        @Arbiter
        public void look(I_Result result) {
            result.r1 = remaining(CHARGE);
        }
    }

    /** A count is forgotten, and the next window begins at the same moment as the forgotten one: its end tells nobody which it is. */
    @JCStressTest
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "what was taken after the reset is counted")
    @Outcome(id = "2", expect = FORBIDDEN, desc = "a refund reached the window that followed a reset")
    @Outcome(id = "0", expect = FORBIDDEN, desc = "the reset was lost")
    @Outcome(expect = FORBIDDEN, desc = "no such count can be")
    @State
    public static class RefundOrReset extends Raced {

        private static final Charge CHARGE = charge("limiter", 2);

        private final Decision decision = take(CHARGE);

        @Actor
        public void refund() {
            refund(decision);
        }

        @Actor
        public void resetAndTake() {
            reset(CHARGE);
            take(CHARGE);
        }

        @Arbiter
        public void look(I_Result result) {
            result.r1 = remaining(CHARGE);
        }
    }

    /** A count is forgotten while another thread takes. */
    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "reset, then taken")
    @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "taken, then reset")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "the reset was lost")
    @Outcome(expect = FORBIDDEN, desc = "no such count can be")
    @State
    public static class TakeOrReset extends Raced {

        private static final Charge CHARGE = charge("limiter", 2);

        /** Takes what is forgotten. */
        public TakeOrReset() {
            take(CHARGE);
        }

        @Actor
        public void take(II_Result result) {
            result.r1 = takeEach(1, CHARGE);
        }

        @Actor
        public void reset() {
            reset(CHARGE);
        }

        @Arbiter
        public void look(II_Result result) {
            result.r2 = remaining(CHARGE);
        }
    }
}
