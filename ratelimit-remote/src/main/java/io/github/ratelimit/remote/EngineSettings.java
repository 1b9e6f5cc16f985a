package io.github.ratelimit.remote;

import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;

/**
 * Settings that all servers of a store share.
 *
 * @param product the product's name in messages, such as Redis
 * @param log where outages are reported
 * @param clock this machine's calendar
 * @param executor carries out the engine's tasks, one after the other
 * @param isEngine whether the calling thread carries out a task
 * @param timeoutNanos how long a request may take
 * @param maximumPending how many requests may wait for a server
 * @param maximumCalls how many calls may be on their way to a server
 * @param rejections rejections that are known without asking
 * @param tickets tickets to end when a server answers again
 * @param ahead permits that were granted ahead
 */
record EngineSettings(
        String product,
        System.Logger log,
        InstantSource clock,
        ScheduledExecutorService executor,
        BooleanSupplier isEngine,
        long timeoutNanos,
        int maximumPending,
        int maximumCalls,
        RememberedRejections rejections,
        OwedTickets tickets,
        PermitsAhead ahead) {}
