package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import io.github.ratelimit.content.shared.settings.ServerKey;
import io.github.ratelimit.content.widget.api.RequestAttributeArgument;
import io.github.ratelimit.content.widget.sync.Documents;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RefusalBody;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Puts the widget surface together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({VisitorProperties.class, WidgetProperties.class})
class WidgetConfiguration implements WebMvcConfigurer {

    /** Where the surface is. */
    static final String ROOT = "/api/v1/widget";

    private static final String SESSION_LIMITER = "widget-session";
    private static final RefusalBody.Content TOO_MANY_IN_CONVERSATION = new RefusalBody.Content(
            HttpVerdict.TOO_MANY_REQUESTS,
            MediaType.APPLICATION_JSON_VALUE,
            "{\"error\":{\"code\":\"rate_limited\",\"message\":\"Too many widget requests for this conversation."
                    + " Please slow down.\"}}");
    private static final int KEY_BYTES = 32;

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new RequestAttributeArgument<>(
                VisitorSession.class,
                "A valid visitor token is needed: Authorization: Bearer <token>, as init returned it."));
    }

    /** Before whatever may refuse: a browser must be allowed to read every answer, a refusal too. */
    @Bean
    FilterRegistrationBean<WidgetCorsFilter> widgetCorsFilter(WidgetProperties properties, Origins origins) {
        var registration = new FilterRegistrationBean<>(new WidgetCorsFilter(properties.origins(), origins));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE + 20);
        return registration;
    }

    /** First of all, as it refuses nobody: origins and limits depend on what it proves. */
    @Bean
    FilterRegistrationBean<VisitorTokenFilter> visitorTokenFilter(VisitorTokens tokens) {
        var registration = new FilterRegistrationBean<>(new VisitorTokenFilter(tokens));
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
    VisitorTokens visitorTokens(InstantSource clock, VisitorProperties properties, ServerKey serverKey) {
        if (properties.tokenLifetime().toSeconds() < 1) {
            throw new InvalidSettingException(
                    "content-api.visitor.token-lifetime",
                    "must be a second or more, was " + properties.tokenLifetime(),
                    "set it to 24h, for example");
        }
        return new VisitorTokens(clock, properties.tokenLifetime(), key(properties, serverKey));
    }

    @Bean
    @ConditionalOnMissingBean(Assistant.class)
    Assistant documentAssistant(Documents documents) {
        return new DocumentAssistant(documents);
    }

    private static byte[] key(VisitorProperties properties, ServerKey serverKey) {
        if (properties.signingKey() == null || properties.signingKey().isBlank()) {
            return HexFormat.of().parseHex(serverKey.sign("visitor tokens", ""));
        }
        byte[] key;
        try {
            key = Base64.getDecoder().decode(properties.signingKey().strip());
        } catch (IllegalArgumentException e) {
            // Without the cause, whose message repeats characters of the key.
            throw invalidKey("must be base64");
        }
        if (key.length < KEY_BYTES) {
            throw invalidKey("must be base64 of 32 bytes or more, was " + key.length + " bytes");
        }
        return key;
    }

    private static InvalidSettingException invalidKey(String rule) {
        return new InvalidSettingException(
                "content-api.visitor.signing-key", rule, "set it to the output of: openssl rand -base64 32");
    }
}
