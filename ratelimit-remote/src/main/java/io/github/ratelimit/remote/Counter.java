package io.github.ratelimit.remote;

/**
 * The name of a counter: digests, so that no text of a user reaches a server. Immutable.
 *
 * @param group 64 bits of the digest of the key's first part: counters with the same ones are on one server
 * @param high one half of the name
 * @param low the other half
 */
public record Counter(long group, long high, long low) {

    @Override
    public int hashCode() {
        return Long.hashCode(low);
    }
}
