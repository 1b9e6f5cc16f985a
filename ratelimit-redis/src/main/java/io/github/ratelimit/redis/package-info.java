/** The store that many nodes share: one script call per decision, on a Redis server, behind Sentinel, or on a Redis Cluster. */
@NullMarked
package io.github.ratelimit.redis;

import org.jspecify.annotations.NullMarked;
