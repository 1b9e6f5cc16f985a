package io.github.ratelimit.redis;

/** How the servers at the given addresses belong together. */
public enum RedisTopology {

    /** From the addresses: Sentinels make {@link #SENTINEL}, several addresses {@link #CLUSTER}, one address {@link #SINGLE}. */
    AUTO,

    /** One server. */
    SINGLE,

    /** A master that Sentinel names, and names anew after a failover. */
    SENTINEL,

    /** A Cluster. One address is enough, such as the one endpoint of a managed service. */
    CLUSTER,

    /** A master and its replicas, all of their addresses given: the master is the one that says so. */
    MASTER_REPLICA
}
