package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.remote.StoreHealth;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a server answers that is no decision, the limiter's policy decides, and nothing else is thrown. */
class RedisErrorsTest {

    private static final List<Charge> CHARGES =
            List.of(new Charge("api", Limit.of("only", 5, Duration.ofMinutes(1)), Key.of("somebody")));

    private static RedisStore store(FakeRedis server) {
        return store(server, Duration.ofSeconds(20));
    }

    private static RedisStore store(FakeRedis server, Duration timeout) {
        return RedisStore.builder().uri(server.uri()).timeout(timeout).build();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-READONLY You can't write against a read only replica.\r\n",
                "-LOADING Redis is loading the dataset in memory\r\n",
                "-OOM command not allowed when used memory > 'maxmemory'.\r\n",
                "-BUSY Redis is busy running a script.\r\n",
                "-CLUSTERDOWN The cluster is down\r\n",
                "-MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.\r\n",
                "-TRYAGAIN Multiple keys request during rehashing of slot\r\n",
                "-MOVED 3999 127.0.0.1:6381\r\n",
                "-ASK 3999 127.0.0.1:6381\r\n",
                "-NOPERM this user has no permissions to run the 'evalsha' command\r\n",
                "-NOAUTH Authentication required.\r\n",
                "-WRONGTYPE Operation against a key holding the wrong kind of value\r\n",
                "-NOSCRIPT No matching script. Please use EVAL.\r\n",
                "-CROSSSLOT Keys in request don't hash to the same slot\r\n",
                "-MISCONF Redis is configured to save RDB snapshots\r\n",
                "-ERR Unknown Redis command called from script\r\n",
                "-ERR Error running script (call to f_1): @user_script:1: @user_script: 1: Unknown Redis command\r\n",
                "-something unheard of\r\n",
                "+OK\r\n",
                ":1\r\n",
                "$-1\r\n",
                "$5\r\nhello\r\n",
                "*0\r\n",
                "*-1\r\n",
                "*1\r\n:1763632800000\r\n",
                "*2\r\n:1763632800000\r\n:1\r\n",
                "*3\r\n:1763632800000\r\n:1\r\n:0\r\n",
                "*3\r\n:1763632800000\r\n:-1\r\n$12\r\nREADONLY You\r\n",
                "*3\r\n:1763632800000\r\n:-1\r\n$32\r\n@user_script: 1: -READONLY You\r\n\r\n",
                "*2\r\n:1763632800000\r\n:-1\r\n",
                "*2\r\n*1\r\n:1\r\n:2\r\n",
                "*5\r\n:1763632800000\r\n:1\r\n:-5\r\n:1763632860000\r\n:0\r\n"
            })
    void everyAnswerThatIsNoDecisionIsAStoreExceptionOfTheStore(String answer) {
        // A server that never learns a script is asked again until the time is over.
        Duration timeout = answer.startsWith("-NOSCRIPT") ? Duration.ofMillis(500) : Duration.ofSeconds(20);
        try (FakeRedis server = new FakeRedis(answer);
                RedisStore store = store(server, timeout)) {
            assertThatThrownBy(() -> store.tryAcquire(CHARGES))
                    .isInstanceOf(StoreException.class)
                    .satisfies(failure -> assertThat(failure.getStackTrace()).isEmpty());
        }
    }

    /** A probe is answered as it should be, and then a request is not. */
    @Test
    void countBelowZeroIsNoDecisionAndOneAboveThePermitsIs() {
        try (FakeRedis server = new FakeRedis(FakeRedis.allowing(9));
                RedisStore store = RedisStore.builder()
                        .uri(server.uri())
                        .timeout(Duration.ofSeconds(20))
                        .rememberRejections(Duration.ZERO)
                        .build()) {
            assertThat(store.tryAcquire(CHARGES).statuses().get(0).remaining())
                    .as("the limit has been lowered")
                    .isZero();
            server.answer(FakeRedis.allowing(-5));
            assertThatThrownBy(() -> store.tryAcquire(CHARGES)).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void everyPolicyHoldsWhateverTheServerAnswers() {
        try (FakeRedis server = new FakeRedis("-OOM command not allowed when used memory > 'maxmemory'.\r\n");
                RedisStore store = store(server)) {
            for (int i = 0; i < 20; i++) {
                assertThat(decide(store, OnStoreFailure.ALLOW).allowed()).isTrue();
                assertThat(decide(store, OnStoreFailure.REJECT).allowed()).isFalse();
                assertThat(decide(store, OnStoreFailure.LOCAL).source()).isEqualTo(Decision.Source.LOCAL);
            }
            assertThat(store.health().state()).isEqualTo(StoreHealth.State.DOWN);
            assertThat(store.health().reason().orElseThrow()).contains("OOM");
            assertThat(server.scriptCalls())
                    .as("a server in trouble is left alone, but for looks")
                    .isBetween(1, 30);
        }
    }

    @Test
    void serverThatRecoversIsFoundByALookAndThenAskedByAll() {
        try (FakeRedis server = new FakeRedis("-LOADING Redis is loading the dataset in memory\r\n");
                RedisStore store = store(server)) {
            for (int i = 0; i < 10; i++) {
                decide(store, OnStoreFailure.ALLOW);
            }
            assertThat(store.health().state()).isEqualTo(StoreHealth.State.DOWN);

            server.answer(FakeRedis.allowing(0));
            RedisProcess.await(
                    "the store decides again",
                    () -> decide(store, OnStoreFailure.REJECT).source() == Decision.Source.STORE);
            assertThat(store.health().state()).isEqualTo(StoreHealth.State.UP);
        }
    }

    private static Decision decide(RedisStore store, OnStoreFailure policy) {
        KeyResolver<String> same = Key::of;
        LimiterSpec<String> spec = LimiterSpec.of("api", Limit.of("only", 5, Duration.ofMinutes(1)), same);
        Limiters<String> limiters = Limiters.<String>builder(store)
                .add(spec.withOnStoreFailure(policy))
                .build();
        Limiter<String> limiter = limiters.get("api");
        return limiter.tryAcquire("somebody");
    }
}
