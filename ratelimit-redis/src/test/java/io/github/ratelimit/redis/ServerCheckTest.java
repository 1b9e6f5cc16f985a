package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

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
