package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.Origin;
import io.github.ratelimit.spring.internal.Diagnostic;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Reports requests whose forwarding fields come from an untrusted peer. Safe for concurrent use.
 *
 * @param clientAddress knows the trusted proxies
 */
public record ForwardingFieldsWarning(ClientAddress clientAddress, Diagnostics diagnostics) {

    private static final Log LOG = LogFactory.getLog(ForwardingFieldsWarning.class);

    /** Tomcat's own request is read below what it believes. */
    public static final String TOMCAT = "org.apache.catalina.startup.Tomcat";

    /** Netty reports the connection's peer even if it trusts forwarding fields; see {@code ExchangeOrigin}. */
    public static final String NETTY = "reactor.netty.http.server.HttpServerRequest";

    /**
     * Makes one, and warns at once where the container believes forwarding fields in a way that the library cannot see through.
     *
     * @param seenThrough classes of the servers below which the library finds the peer
     */
    public static ForwardingFieldsWarning of(
            ClientAddress clientAddress, Diagnostics diagnostics, Environment environment, String... seenThrough) {
        String strategy = environment.getProperty("server.forward-headers-strategy");
        boolean seesThrough = Stream.of(seenThrough).anyMatch(type -> ClassUtils.isPresent(type, null));
        if ("native".equalsIgnoreCase(strategy) && !seesThrough) {
            diagnostics.warn(
                    Diagnostic.PEER_REWRITTEN,
                    "server.forward-headers-strategy is native: the container trusts forwarding fields of every client, and so do limits by"
                            + " client address; set it to none or framework, or declare a ServletOrigin bean");
        }
        return new ForwardingFieldsWarning(clientAddress, diagnostics);
    }

    /** The origin as it is given. */
    public Origin checked(Origin from) {
        if (isForwarded(from) && !clientAddress.trusts(from.peer())) {
            diagnostics.warn(
                    Diagnostic.UNTRUSTED_FORWARDING,
                    "X-Forwarded-For or Forwarded is present but %s. If your proxy writes it, add the proxy's address: all clients behind it share one budget. Otherwise a client tries to pose as another"
                            .formatted(
                                    clientAddress.trustsNobody()
                                            ? "ratelimit.http.trusted-proxies is empty"
                                            : "its peer is in no range of ratelimit.http.trusted-proxies"));
            if (LOG.isDebugEnabled()) {
                LOG.debug("Forwarding fields came from the peer " + from.peer());
            }
        }
        return from;
    }

    /** As it came: a wrapper that believes the fields hides them. */
    private static boolean isForwarded(Origin from) {
        return !from.xForwardedFor().isEmpty() || !from.forwarded().isEmpty();
    }
}
