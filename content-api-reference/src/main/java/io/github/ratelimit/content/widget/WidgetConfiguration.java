package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.settings.ServerKey;
import io.github.ratelimit.content.widget.api.RequestAttributeArgument;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.content.widget.sync.Documents;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RefusalBody;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Puts the widget surface together. */
@Configuration(proxyBeanMethods = false)
class WidgetConfiguration implements WebMvcConfigurer {

    /** Where the surface is. */
    static final String ROOT = "/api/v1/widget";

    /** As the container reads the path: a spelling that it reads otherwise finds no proof, and so no service. */
    private static final String ALL = ROOT + "/*";

    private static final String SESSION_LIMITER = "widget-session";
    private static final RefusalBody.Content TOO_MANY_IN_CONVERSATION = new RefusalBody.Content(
            HttpVerdict.TOO_MANY_REQUESTS,
            MediaType.APPLICATION_JSON_VALUE,
            "{\"error\":{\"code\":\"rate_limited\",\"message\":\"Too many widget requests for this conversation."
                    + " Please slow down.\"}}");

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new RequestAttributeArgument<>(
                VisitorSession.class,
                "A valid visitor token is needed: Authorization: Bearer <token>, as init returned it."));
    }

    /** Before whatever may refuse: a browser must be allowed to read every answer, a refusal too. */
    @Bean
    FilterRegistrationBean<WidgetCorsFilter> widgetCorsFilter(WidgetSettings settings, Origins origins) {
        var registration = new FilterRegistrationBean<>(
                new WidgetCorsFilter(settings.widget().allowedOrigins(), origins));
        registration.addUrlPatterns(ALL);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 20);
        return registration;
    }

    /** First of all, as it refuses nobody: origins and limits depend on what it proves. */
    @Bean
    FilterRegistrationBean<VisitorTokenFilter> visitorTokenFilter(VisitorTokens tokens) {
        var registration = new FilterRegistrationBean<>(new VisitorTokenFilter(tokens));
        registration.addUrlPatterns(ALL);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 10);
        return registration;
    }

    /** What a visitor reads has to make sense to a visitor. */
    @Bean
    RefusalBody refusalBody() {
        RefusalBody usual = RefusalBody.json();
        return (verdict, call) -> isTooManyInConversation(verdict) ? TOO_MANY_IN_CONVERSATION : usual.of(verdict, call);
    }

    private static boolean isTooManyInConversation(HttpVerdict verdict) {
        return verdict.status() == HttpVerdict.TOO_MANY_REQUESTS
                && verdict.decision()
                        .mostRestrictive()
                        .filter(status -> status.limiter().equals(SESSION_LIMITER))
                        .isPresent();
    }

    @Bean
    VisitorTokens visitorTokens(InstantSource clock, WidgetSettings settings, ServerKey serverKey) {
        return visitorTokens(clock, settings.visitor(), serverKey);
    }

    static VisitorTokens visitorTokens(InstantSource clock, WidgetSettings.Visitor settings, ServerKey serverKey) {
        byte[] key = settings.key().orElseGet(() -> HexFormat.of().parseHex(serverKey.sign("visitor tokens", "")));
        return new VisitorTokens(clock, settings.tokenLifetime(), key);
    }

    @Bean
    @ConditionalOnMissingBean(Assistant.class)
    Assistant documentAssistant(Documents documents) {
        return new DocumentAssistant(documents);
    }
}
