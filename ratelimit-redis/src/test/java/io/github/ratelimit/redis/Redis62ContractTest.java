package io.github.ratelimit.redis;

/** The contract on Redis 6.2, which knows no PEXPIRETIME. */
class Redis62ContractTest extends RedisServersContract {

    Redis62ContractTest() {
        super(RedisProcess.Version.REDIS_6_2);
    }
}
