package io.github.ratelimit.races;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import java.util.stream.IntStream;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Fresh keys make the table grow while counters in it are used. */
public final class Growth {

    /** Chosen: the smallest tables are nearly full before the actors begin, and all have grown when they end. */
    private static final int BEFORE = 200;

    private static final int DURING = 150;
    private static final Charge[] FRESH = IntStream.range(0, BEFORE + DURING)
            .mapToObj(i -> Raced.charge("limiter", 1, "fresh " + i))
            .toArray(Charge[]::new);

    private Growth() {}

    /** Begins with tables that are about to grow. */
    private abstract static class Growing extends Raced {

        Growing() {
            for (int i = 0; i < BEFORE; i++) {
                take(FRESH[i]);
            }
        }
    }

    /** Two threads take 300 of 200 permits while the table grows. */
    @JCStressTest
    @Outcome(id = "200, 0", expect = ACCEPTABLE, desc = "every permit once")
    @Outcome(expect = FORBIDDEN, desc = "a count was lost or doubled on its way to the larger table")
    @State
    public static class Take extends Growing {

        private static final Charge CHARGE = charge("limiter", 200);

        private int one;
        private int other;

        @Actor
        public void take() {
            one = takeEach(DURING, CHARGE);
        }

        @Actor
        public void takeAndGrow() {
            for (int i = BEFORE; i < FRESH.length; i++) {
                take(FRESH[i]);
                other += takeEach(1, CHARGE);
            }
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = one + other;
            result.r2 = remaining(CHARGE);
        }
    }

    /** Takes from two limiters at once and gives back while the table grows. */
    @JCStressTest
    @Outcome(id = "10, 10", expect = ACCEPTABLE, desc = "all was given back")
    @Outcome(expect = FORBIDDEN, desc = "a refund was lost, doubled, or reached one counter of two")
    @State
    public static class Refund extends Growing {

        private static final Charge FIRST = charge("first", 10);
        private static final Charge SECOND = charge("second", 10);

        @Actor
        public void takeAndRefund() {
            for (int i = 0; i < DURING; i++) {
                Decision decision = take(FIRST, SECOND);
                refund(decision);
            }
        }

        @Actor
        public void grow() {
            for (int i = BEFORE; i < FRESH.length; i++) {
                take(FRESH[i]);
            }
        }

        @Arbiter
        public void look(II_Result result) {
            result.r1 = remaining(FIRST);
            result.r2 = remaining(SECOND);
        }
    }
}
