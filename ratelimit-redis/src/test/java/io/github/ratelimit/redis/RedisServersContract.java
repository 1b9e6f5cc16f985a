package io.github.ratelimit.redis;

import java.util.EnumMap;
import java.util.Map;
import net.jqwik.api.lifecycle.AfterContainer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contract on one of the servers that can be started; a class for each, as it has a class for its test container. */
@ExtendWith(ShortContract.class)
abstract class RedisServersContract extends RedisContract {

    private record Running(RedisProcess process, RedisTestBed bed) {

        static Running start(RedisProcess.Version version) {
            RedisProcess process = RedisProcess.start(version);
            return new Running(process, RedisTestBed.of(process));
        }

        void stop() {
            bed.close();
            process.close();
        }
    }

    private static final Map<RedisProcess.Version, Running> RUNNING = new EnumMap<>(RedisProcess.Version.class);

    private final RedisProcess.Version version;

    RedisServersContract(RedisProcess.Version version) {
        this.version = version;
    }

    @AfterAll
    @AfterContainer
    static void stop() {
        RUNNING.values().forEach(Running::stop);
        RUNNING.clear();
    }

    private Running running() {
        return RUNNING.computeIfAbsent(version, Running::start);
    }

    @Override
    RedisStore.Builder builder() {
        return RedisStore.builder().uri(running().process().uri());
    }

    @Override
    RedisTestBed bed() {
        return running().bed();
    }

    /** Fewer than on the usual server, which decides by the same script. */
    @Override
    protected int seeds() {
        return Boolean.getBoolean("full") ? super.seeds() : 12;
    }
}
