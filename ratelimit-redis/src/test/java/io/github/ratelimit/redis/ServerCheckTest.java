package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServerCheckTest {

    private static final String FINE =
            "redis_version:7.0.15\r\nmaxmemory:0\r\nmaxmemory_policy:noeviction\r\ncluster_enabled:0\r\n";

    @Test
    void serverThatKeepsItsCountersIsFine() {
        assertThat(ServerCheck.warnings(FINE, false)).isEmpty();
        assertThat(ServerCheck.warnings("", false)).isEmpty();
        assertThat(ServerCheck.warnings(FINE.replace("noeviction", "allkeys-lru"), false))
                .as("without a bound nothing is evicted")
                .isEmpty();
    }

    @Test
    void evictionThatMayDropCountersIsWarnedAbout() {
        for (String policy : new String[] {"allkeys-lru", "volatile-ttl", "volatile-random"}) {
            String info = FINE.replace("noeviction", policy).replace("maxmemory:0", "maxmemory:1048576");
            assertThat(ServerCheck.warnings(info, false))
                    .singleElement()
                    .returns(RedisWarning.Kind.EVICTS, RedisWarning::kind)
                    .extracting(RedisWarning::message)
                    .asString()
                    .contains("maxmemory-policy " + policy)
                    .contains("set maxmemory-policy noeviction");
        }
    }

    /** A flush, an eviction or a restart while nobody asked was told nowhere. */
    @Test
    void countsThatAreLostAreToldOnceForEachLoss() {
        List<RedisWarning> told = new ArrayList<>();
        AtomicInteger losses = new AtomicInteger();
        ServerCheck check = new ServerCheck("redis:6379", false, told::add, losses::incrementAndGet);
        String before = FINE + "run_id:a\r\nevicted_keys:3\r\ncmdstat_flushall:calls=1,usec=9\r\n";
        check.hear(before);
        check.hear(before);
        assertThat(told).isEmpty();

        check.hear(before.replace("calls=1", "calls=2"));
        check.hear(before.replace("calls=1", "calls=2"));
        check.hear(before.replace("calls=1", "calls=2").replace("keys:3", "keys:7774"));
        check.hear(before.replace("run_id:a", "run_id:b"));

        assertThat(told).extracting(RedisWarning::kind).containsOnly(RedisWarning.Kind.COUNTS_LOST);
        assertThat(told)
                .extracting(RedisWarning::message)
                .satisfiesExactly(
                        flush -> assertThat(flush).startsWith("Redis (redis:6379) was flushed"),
                        eviction -> assertThat(eviction).contains("has evicted 7771 keys"),
                        restart -> assertThat(restart).contains("was restarted or replaced"));
        assertThat(losses).hasValue(3);
    }

    /** The warning of one node of a Cluster was told again for each reconnect of another. */
    @Test
    void warningIsToldOnceForEachServerHoweverOftenItConnects() {
        List<RedisWarning> told = new ArrayList<>();
        String evicting = FINE.replace("noeviction", "allkeys-lru").replace("maxmemory:0", "maxmemory:1048576");
        ServerCheck one = new ServerCheck("one", true, told::add, () -> {});
        ServerCheck other = new ServerCheck("other", true, told::add, () -> {});
        for (int i = 0; i < 3; i++) {
            one.hear(evicting);
            other.hear(FINE);
        }
        assertThat(told).hasSize(1);
    }

    @Test
    void serverThatIsTooOldIsWarnedAbout() {
        for (String version : new String[] {"6.0.20", "5.0.14", "3.2.100", "2.8"}) {
            assertThat(ServerCheck.warnings(FINE.replace("7.0.15", version), false))
                    .singleElement()
                    .returns(RedisWarning.Kind.TOO_OLD, RedisWarning::kind)
                    .extracting(RedisWarning::message)
                    .asString()
                    .contains("Redis " + version + " is too old, 6.2 or newer is needed");
        }
        for (String version : new String[] {"6.2.0", "6.10.1", "7.0.15", "8.2.1", "10.0", "unstable", "255.255.255"}) {
            assertThat(ServerCheck.warnings(FINE.replace("7.0.15", version), false))
                    .as(version)
                    .isEmpty();
        }
    }

    @Test
    void nodeOfAClusterWithOneAddressIsWarnedAbout() {
        String info = FINE.replace("cluster_enabled:0", "cluster_enabled:1");
        assertThat(ServerCheck.warnings(info, false))
                .singleElement()
                .returns(RedisWarning.Kind.NODE_OF_A_CLUSTER, RedisWarning::kind)
                .extracting(RedisWarning::message)
                .asString()
                .contains("give several");
        assertThat(ServerCheck.warnings(info, true)).isEmpty();
    }
}
