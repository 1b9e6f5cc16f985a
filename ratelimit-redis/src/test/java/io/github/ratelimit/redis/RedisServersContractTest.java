package io.github.ratelimit.redis;

/** The contract on Redis 7.0.9. */
class RedisServersContractTest extends RedisServersContract {

    RedisServersContractTest() {
        super(RedisProcess.Version.REDIS_7_0_9);
    }
}
