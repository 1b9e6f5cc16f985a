package io.github.ratelimit.spring.boot;

import io.github.ratelimit.spring.Diagnostic;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Warns at start where the container believes forwarding fields in a way that the library cannot see through. */
final class RewrittenPeerWarning {

    private RewrittenPeerWarning() {}

    /** Whether the server is Tomcat, whose own request is read below what it believes. */
    static boolean isTomcat() {
        return ClassUtils.isPresent("org.apache.catalina.startup.Tomcat", RewrittenPeerWarning.class.getClassLoader());
    }

    /** @param seesThrough whether the library finds the peer below what the server believes */
    static void check(Environment environment, boolean seesThrough, Diagnostics diagnostics) {
        boolean nativeStrategy = "native".equalsIgnoreCase(environment.getProperty("server.forward-headers-strategy"));
        if (nativeStrategy && !seesThrough) {
            diagnostics.warn(
                    Diagnostic.PEER_REWRITTEN,
                    "server.forward-headers-strategy is native: the container believes forwarding fields of anybody, and so do limits by"
                            + " client address; set it to none or framework, or give a ServletOrigin bean that knows the container");
        }
    }
}
