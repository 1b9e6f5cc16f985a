package io.github.ratelimit.redis;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.StoreContract;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;

/** The contract on real servers, whose time is moved by the test bed. */
abstract class RedisContract extends StoreContract {

    /** The servers, which are started by now. */
    abstract RedisTestBed bed();

    /** A store of theirs. */
    abstract RedisStore.Builder builder();

    @Override
    protected Store store(TestClock clock) {
        clock.setCalendar(MovedTime.START);
        bed().flush();
        RedisStore store = builder()
                .timeout(Duration.ofSeconds(30)) // what is promised here is the decision, not the time it takes
                .time(new MovedTime.NodeTime(clock))
                .build();
        return new MovedTime(store, bed(), clock);
    }

    @Override
    protected void advance(Store store, TestClock clock, Duration duration) {
        clock.advance(duration);
        bed().advance(duration);
    }

    @Override
    protected Duration resolution() {
        return Duration.ofSeconds(10);
    }

    @Override
    protected Duration tolerance() {
        return Duration.ofSeconds(9);
    }

    /** Beside other tests, on a machine that may be slow. */
    @Override
    protected Duration deadline() {
        return Duration.ofMinutes(5);
    }

    /** 600 random requests; 100,000 with {@code -Dfull=true}. */
    @Override
    protected int seeds() {
        return Boolean.getBoolean("full") ? 3400 : 20;
    }

    @Override
    protected int rounds() {
        return 100;
    }

    @Override
    protected long footprint(Store store) {
        return bed().usedMemory();
    }
}
