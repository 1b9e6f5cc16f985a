package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.Origin;
import io.github.ratelimit.servlet.ServletOrigin;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Warns, once, when the origin of a request with forwarding fields is asked for while no proxy is trusted. */
final class ForwardingFieldsWarning implements ServletOrigin {

    private static final Log LOG = LogFactory.getLog(ForwardingFieldsWarning.class);

    private final ServletOrigin origin;
    private final AtomicBoolean warned = new AtomicBoolean();

    ForwardingFieldsWarning(ServletOrigin origin) {
        this.origin = origin;
    }

    @Override
    public Origin of(HttpServletRequest request) {
        Origin from = origin.of(request);
        if (!warned.get() && isForwarded(from) && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "X-Forwarded-For or Forwarded is present but ratelimit.http.trusted-proxies is empty: if it is a proxy of yours that"
                            + " writes it, all clients behind the proxy share one key; if not, somebody is trying to look like somebody else");
        }
        return from;
    }

    /** As it came: a wrapper that believes the fields hides them. */
    private static boolean isForwarded(Origin from) {
        return !from.xForwardedFor().isEmpty() || !from.forwarded().isEmpty();
    }
}
