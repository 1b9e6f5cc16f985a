package io.github.ratelimit.content.server.http;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.rewrite.RewriteValve;
import org.jspecify.annotations.Nullable;

/**
 * Tells requests to the interface from requests to the site's pages: a route decides, and not the path. So the interface is
 * at {@code /?rest_route=…} as it is at {@code /index.php?rest_route=…}, and without a route both are the front page.
 *
 * <p>Before any filter: whoever is limited or signed in at one of the paths is so at the other.
 */
public final class RootRouteValve extends RewriteValve {
    private static final String PAGE = "/";
    private static final String INTERFACE = "/index.php";
    private static final Pattern ROUTE = Pattern.compile("(?:^|&)rest_route=[^&]");

    private static final String RULES = """
            RewriteRule ^/$ /index.php [L]
            RewriteRule ^/index\\.php$ / [L]
            """;

    /** The rules are asked for the few requests alone that they are about: to evaluate one costs more than what it decides. */
    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        String path = request.getRequestPathMB().toString();
        if ((hasRoute(request.getQueryString()) ? PAGE : INTERFACE).equals(path)) {
            super.invoke(request, response);
        } else {
            getNext().invoke(request, response);
        }
    }

    private static boolean hasRoute(@Nullable String query) {
        return query != null && ROUTE.matcher(query).find();
    }

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
