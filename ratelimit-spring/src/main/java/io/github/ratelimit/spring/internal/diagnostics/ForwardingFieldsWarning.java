package io.github.ratelimit.spring.internal.diagnostics;

import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.Origin;
import io.github.ratelimit.spring.internal.Diagnostic;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Reports requests whose forwarding fields come from an untrusted peer. Safe for concurrent use.
 *
 * @param clientAddress knows the trusted proxies
 */
public record ForwardingFieldsWarning(ClientAddress clientAddress, Diagnostics diagnostics) {

    private static final Log LOG = LogFactory.getLog(ForwardingFieldsWarning.class);

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
