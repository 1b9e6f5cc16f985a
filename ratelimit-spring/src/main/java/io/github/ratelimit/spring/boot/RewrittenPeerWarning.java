package io.github.ratelimit.spring.boot;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Warns at start where the container believes forwarding fields in a way that the library cannot see through. */
final class RewrittenPeerWarning {

    private static final Log LOG = LogFactory.getLog(RewrittenPeerWarning.class);

    private RewrittenPeerWarning() {}

    static void check(Environment environment) {
        boolean nativeStrategy = "native".equalsIgnoreCase(environment.getProperty("server.forward-headers-strategy"));
        boolean tomcat =
                ClassUtils.isPresent("org.apache.catalina.startup.Tomcat", RewrittenPeerWarning.class.getClassLoader());
        if (nativeStrategy && !tomcat) {
            LOG.warn(
                    "server.forward-headers-strategy is native: the container believes forwarding fields of anybody, and so do limits by"
                            + " client address; set it to none or framework, or give a ServletOrigin bean that knows the container");
        }
    }
}
