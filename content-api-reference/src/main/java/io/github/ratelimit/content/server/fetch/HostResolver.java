package io.github.ratelimit.content.server.fetch;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Turns a host name into addresses. Safe for concurrent use; may block. */
@FunctionalInterface
public interface HostResolver {

    /**
     * Looks a name up, once.
     *
     * @param host in ASCII
     * @return at least one address
     * @throws UnknownHostException if there is none
     */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
