package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.server.http.RequestBody;
import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.content.widget.api.BearerTokenFilter;
import io.github.ratelimit.content.widget.api.RequestAttributeArgument;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
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

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new RequestAttributeArgument<>(
                WorkspaceToken.class, "A valid workspace token is needed: Authorization: Bearer <token>."));
    }

    /** Last, so that limiters reject a request before its body is read. */
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
            if (request.getAttribute(WorkspaceToken.class.getName()) != null) {
                RequestBody.read(request, LONGEST_BODY);
            }
            return true;
        }
    }

    /** Before the limiter, which counts by what this filter proves. */
    @Bean
    FilterRegistrationBean<BearerTokenFilter<WorkspaceToken>> workspaceTokenFilter(Workspaces workspaces) {
        var registration = new FilterRegistrationBean<>(new BearerTokenFilter<>(
                WorkspaceToken.class, workspaces::authenticate, WorkspaceToken.KEY_ATTRIBUTE, WorkspaceToken::id));
        // The container matches it: another spelling of the path gets no caller, and so a 401.
        registration.addUrlPatterns(DocumentController.ROOT + "/*");
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 30);
        return registration;
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
        if (wanted.id() == null || wanted.token() == null) {
            throw new InvalidSettingException(
                    name, "an id and a token are needed", "give both, or take the entry away");
        }
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
