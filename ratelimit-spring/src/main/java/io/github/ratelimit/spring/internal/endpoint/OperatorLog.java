package io.github.ratelimit.spring.internal.endpoint;

import java.security.Principal;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.actuate.audit.AuditEvent;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Writes down who changed what through the endpoint: a line at INFO, and an {@link AuditEvent} for whoever keeps those.
 *
 * @param publisher tells of the event; nobody hears it where the application keeps none
 */
public record OperatorLog(ApplicationEventPublisher publisher) {

    private static final Log LOG = LogFactory.getLog(OperatorLog.class);

    /**
     * Writes it down.
     *
     * @param type such as {@code RATELIMIT_RESET}
     * @param what holds no key
     */
    public void add(SecurityContext who, String type, Map<String, Object> what) {
        String name = name(who);
        LOG.info("%s by '%s': %s".formatted(type, printable(name), new TreeMap<>(what)));
        publisher.publishEvent(new AuditApplicationEvent(name, type, what));
    }

    /** The operator's name. */
    static String name(SecurityContext who) {
        Principal principal = who.getPrincipal();
        return principal == null ? "anonymous" : principal.getName();
    }

    /** A user's name must not begin a new line. */
    private static String printable(String name) {
        return name.replaceAll("\\p{Cntrl}", "?");
    }
}
