package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An address is asked for as it is written, or the start says why not; and no part of a password is ever shown. */
class AddressesTest {

    @ParameterizedTest
    @CsvSource({
        "redis://localhost:6379, localhost",
        "redis://user:password@cache.example:6380/3, cache.example",
        "redis://:p%40ss%23word@cache.example, cache.example",
        "rediss://cache.example:6380?timeout=3s, cache.example",
        "redis://[::1]:6379, [::1]",
        "redis://user:p@ssword@cache.example, cache.example",
        "redis://10.0.0.7, 10.0.0.7"
    })
    void addressIsReadAsItIsWritten(String uri, String host) {
        assertThat(RedisAddresses.of(uri))
                .singleElement()
                .extracting(RedisURI::getHost)
                .asString()
                .isEqualTo(host);
    }

    @Test
    void severalAddressesAndSentinelsAreReadAsTheyAreWritten() {
        assertThat(RedisAddresses.of("redis://password@a:7000,b:7001,c"))
                .extracting(RedisURI::getHost)
                .containsExactly("a", "b", "c");
        assertThat(RedisAddresses.of("redis-sentinel://password@a:26379,b:26379/0#master")
                        .get(0)
                        .getSentinels())
                .extracting(RedisURI::getHost)
                .containsExactly("a", "b");
    }

    /** A host "user:se" was shown in the log and in the health. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://user:se#cret@cache.example:6379",
                "redis://user:se/cret@cache.example:6379",
                "redis://user:se?cret@cache.example",
                "redis://user:se#cret@a:7000,b:7001",
                "redis://user:se%cret@cache.example"
            })
    void passwordThatIsNotEscapedStopsTheStartAndIsNotShown(String uri) {
        assertThatThrownBy(() -> RedisStore.create(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("%-escape")
                .hasMessageNotContainingAny("se#", "se/", "se?", "se@", "se%", "cret");
    }

    /** It asked for a host "redis_1:6379", and decided everything locally. */
    @Test
    void hostThatTheClientReadsOtherwiseStopsTheStartWithBothReadings() {
        assertThatThrownBy(() -> RedisStore.create("redis://redis_1:6379"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis_1:6379")
                .hasMessageContaining("written redis_1:6379");
    }
}
