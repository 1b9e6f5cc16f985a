package io.github.ratelimit.spring.boot;

import io.github.ratelimit.servlet.PeerAddress;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Warns, once, when the peer's address is asked for although a proxy seems to stand before it and none is trusted. */
final class ForwardingFieldsWarning implements PeerAddress {

    private static final Log LOG = LogFactory.getLog(ForwardingFieldsWarning.class);

    private final PeerAddress peerAddress;
    private final AtomicBoolean warned = new AtomicBoolean();

    ForwardingFieldsWarning(PeerAddress peerAddress) {
        this.peerAddress = peerAddress;
    }

    @Override
    public String of(HttpServletRequest request) {
        if (!warned.get() && isForwarded(request) && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "X-Forwarded-For or Forwarded is present but ratelimit.http.trusted-proxies is empty: if it is a proxy of yours that"
                            + " writes it, all clients behind the proxy share one key; if not, somebody is trying to look like somebody else");
        }
        return peerAddress.of(request);
    }

    private static boolean isForwarded(HttpServletRequest request) {
        return request.getHeader("X-Forwarded-For") != null || request.getHeader("Forwarded") != null;
    }
}
