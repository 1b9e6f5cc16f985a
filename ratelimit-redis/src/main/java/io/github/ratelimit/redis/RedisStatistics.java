package io.github.ratelimit.redis;

/**
 * What a store has done since it was made. Immutable.
 *
 * @param calls commands that were sent to Redis, each for one or more requests
 * @param failedCalls those that brought no decision, and those that were not sent as Redis was known not to answer
 * @param localRefusals requests refused without asking Redis, as their window was known to be used up
 * @param pending requests that wait for a decision now
 * @param connections connections that were made
 * @param knownCounters counters of used-up limits that are remembered now, about
 */
public record RedisStatistics(
        long calls, long failedCalls, long localRefusals, long pending, long connections, long knownCounters) {}
