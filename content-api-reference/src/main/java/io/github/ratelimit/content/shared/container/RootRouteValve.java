package io.github.ratelimit.content.shared.container;

import org.apache.catalina.LifecycleException;
import org.apache.catalina.valves.rewrite.RewriteValve;

/**
 * Tells requests to the interface from requests to the site's pages: a route decides, and not the path. So the interface is
 * at {@code /?rest_route=…} as it is at {@code /index.php?rest_route=…}, and without a route both are the front page.
 *
 * <p>Before any filter: whoever is limited or signed in at one of the paths is so at the other.
 */
public final class RootRouteValve extends RewriteValve {
    private static final String RULES = """
            RewriteCond %{QUERY_STRING} ^(.*&)?rest_route=[^&].*$
            RewriteRule ^/$ /index.php [L]
            RewriteCond %{QUERY_STRING} !^(.*&)?rest_route=[^&].*$
            RewriteRule ^/index\\.php$ / [L]
            """;

    @Override
    protected void startInternal() throws LifecycleException {
        super.startInternal();
        try {
            setConfiguration(RULES);
        } catch (Exception e) {
            throw new LifecycleException(e);
        }
    }
}
