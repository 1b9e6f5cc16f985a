package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.server.http.RequestBody;
import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.content.widget.api.BearerTokenFilter;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Puts the bulk-sync surface together. */
@Configuration(proxyBeanMethods = false)
class SyncConfiguration implements WebMvcConfigurer {

    private static final Logger log = LoggerFactory.getLogger(SyncConfiguration.class);
    // Chosen: 24 random letters and digits are beyond guessing.
    private static final int SHORT_TOKEN = 24;
    /** In bytes, with a valid token. */
    private static final long LONGEST_BODY = 16L << 20;

    /** Last, so that limiters refuse a request before its body is read. */
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new LongBodies())
                .addPathPatterns(DocumentController.ROOT + "/**")
                .order(Ordered.LOWEST_PRECEDENCE);
    }

    private static final class LongBodies implements HandlerInterceptor {
        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
                throws IOException {
            if (request.getAttribute(BearerTokenFilter.CALLER) != null) {
                RequestBody.read(request, LONGEST_BODY);
            }
            return true;
        }
    }

    /** Before the limiter, which counts by what this filter proves. Another spelling of the path gets no caller, and so a 401. */
    @Bean
    @FilterRegistration(urlPatterns = DocumentController.ROOT + "/*", order = Ordered.HIGHEST_PRECEDENCE + 30)
    BearerTokenFilter<WorkspaceToken> workspaceTokenFilter(Workspaces workspaces) {
        return new BearerTokenFilter<>(workspaces::authenticate, WorkspaceToken.KEY_ATTRIBUTE, WorkspaceToken::id);
    }

    @Bean
    SmartInitializingSingleton provisionedWorkspaces(WidgetSettings settings, Workspaces workspaces) {
        return () -> {
            for (int i = 0; i < settings.provision().workspaces().size(); i++) {
                provision(
                        "content-api.provision.workspaces[" + i + "]",
                        settings.provision().workspaces().get(i),
                        workspaces);
            }
        };
    }

    private static void provision(String name, WidgetSettings.Workspace wanted, Workspaces workspaces) {
        if (wanted.token().length() < SHORT_TOKEN) {
            log.warn("{}.token has fewer than {} characters and may be guessed", name, SHORT_TOKEN);
        }
        try {
            workspaces.accept(wanted.id(), wanted.token());
        } catch (IllegalArgumentException e) {
            // Its message never repeats the token.
            throw new InvalidSettingException(name, String.valueOf(e.getMessage()), "correct the entry");
        }
    }
}
