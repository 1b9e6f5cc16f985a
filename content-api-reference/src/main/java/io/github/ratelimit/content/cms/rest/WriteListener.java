package io.github.ratelimit.content.cms.rest;

/** Learns of each request that wrote what strangers may see, alone or in a batch, once its write is visible to others. */
@FunctionalInterface
public interface WriteListener {
    /**
     * Takes note of a write.
     *
     * @param route that was used, as it is declared
     */
    void written(String route);
}
