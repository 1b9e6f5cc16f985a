package io.github.ratelimit.content.widget.sync;

import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.content.widget.api.BearerTokenFilter;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Puts the bulk-sync surface together. */
@Configuration(proxyBeanMethods = false)
class SyncConfiguration {

    private static final Logger log = LoggerFactory.getLogger(SyncConfiguration.class);
    // Chosen: 24 random letters and digits are beyond guessing.
    private static final int SHORT_TOKEN = 24;

    /** Before the limiter, which counts by what this filter proves. Another spelling of the path gets no caller, and so a 401. */
    @Bean
    @FilterRegistration(urlPatterns = DocumentController.ROOT + "/*", order = Ordered.HIGHEST_PRECEDENCE + 30)
    BearerTokenFilter<Workspaces.Token> workspaceTokenFilter(Workspaces workspaces) {
        return new BearerTokenFilter<>(workspaces::authenticate, Workspaces.Token.KEY_ATTRIBUTE, Workspaces.Token::id);
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
