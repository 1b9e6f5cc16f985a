package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.spring.internal.Diagnostic;
import java.util.stream.Stream;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Warns at start where the container believes forwarding fields in a way that the library cannot see through. */
public final class RewrittenPeerWarning {

    private RewrittenPeerWarning() {}

    /** Tomcat's own request is read below what it believes. */
    public static final String TOMCAT = "org.apache.catalina.startup.Tomcat";

    /** Netty reports the connection's peer even if it trusts forwarding fields; see {@code ExchangeOrigin}. */
    public static final String NETTY = "reactor.netty.http.server.HttpServerRequest";

    /** @param seenThrough classes of the servers below which the library finds the peer */
    public static void check(Environment environment, Diagnostics diagnostics, String... seenThrough) {
        String strategy = environment.getProperty("server.forward-headers-strategy");
        boolean seesThrough = Stream.of(seenThrough).anyMatch(type -> ClassUtils.isPresent(type, null));
        if ("native".equalsIgnoreCase(strategy) && !seesThrough) {
            diagnostics.warn(
                    Diagnostic.PEER_REWRITTEN,
                    "server.forward-headers-strategy is native: the container trusts forwarding fields of every client, and so do limits by"
                            + " client address; set it to none or framework, or declare a ServletOrigin bean");
        }
    }
}
