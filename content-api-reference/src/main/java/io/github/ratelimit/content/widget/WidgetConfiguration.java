package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.server.http.ErrorBody;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.content.server.settings.ServerKey;
import io.github.ratelimit.content.widget.api.BearerTokenFilter;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.content.widget.sync.Documents;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.servlet.RequestCost;
import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Set;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.web.servlet.FilterRegistration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** Puts the widget surface together. */
@Configuration(proxyBeanMethods = false)
class WidgetConfiguration {

    /** Where the surface is. */
    static final String ROOT = "/api/v1/widget";

    /** The container matches it: another spelling of the path gets no session, and so a 401. */
    private static final String ALL = ROOT + "/*";

    private static final String BYTES_LIMITER = "widget-bytes";
    // Chosen: what a row takes beside its texts, and what a request within a conversation takes: its row is written
    // again, or an answer is added.
    private static final long ROW = 256;
    private static final long CHANGE = 2048;
    private static final Set<String> ROWS_ALONE = Set.of(ROOT + "/init", ROOT + "/satisfaction");

    private static final String SESSION_LIMITER = "widget-session";
    private static final RejectionBody.Content TOO_MANY_IN_CONVERSATION = new RejectionBody.Content(
            HttpVerdict.TOO_MANY_REQUESTS,
            MediaType.APPLICATION_JSON_VALUE,
            "{\"error\":{\"code\":\"rate_limited\",\"message\":\"Too many widget requests for this conversation."
                    + " Please slow down.\"}}");

    /** Rejects numbers and booleans in the place of a text, which {@code spring.jackson.*} cannot say. */
    @Bean
    JsonMapperBuilderCustomizer textIsText() {
        return builder -> builder.withCoercionConfig(
                LogicalType.Textual,
                text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }

    /** Verifies tokens first: the limiters count by them. */
    @Bean
    @FilterRegistration(urlPatterns = ALL, order = Ordered.HIGHEST_PRECEDENCE + 10)
    BearerTokenFilter<VisitorTokens.Session> visitorTokenFilter(VisitorTokens tokens) {
        return new BearerTokenFilter<>(
                tokens::verify,
                VisitorTokens.Session.KEY_ATTRIBUTE,
                session -> session.conversationId().toString());
    }

    /** Before everything that rejects: browsers must be allowed to read every rejection. */
    @Bean
    @FilterRegistration(urlPatterns = ALL, order = Ordered.HIGHEST_PRECEDENCE + 20)
    WidgetCorsFilter widgetCorsFilter(WidgetSettings settings) {
        return new WidgetCorsFilter(settings.widget().allowedOrigins());
    }

    /** A request costs one permit, and of the limiter of bytes as many as it may store. */
    @Bean
    RequestCost requestCost(RequestBounds bounds) {
        long longest = bounds.maxStrangerBody().toBytes();
        return (limiter, request) -> limiter.equals(BYTES_LIMITER) ? bytes(request, longest) : 1;
    }

    private static long bytes(HttpServletRequest request, long longest) {
        // A longer body is rejected unread. The length of one that comes in chunks is not known yet.
        boolean isChunked = request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
        long body = isChunked ? longest : Math.max(0, Math.min(request.getContentLengthLong(), longest));
        return body + (ROWS_ALONE.contains(request.getServletPath()) ? ROW : CHANGE);
    }

    /** Visitors read the message of a rejection, and clients of the content interface know errors of another form. */
    @Bean
    RejectionBody rejectionBody() {
        RejectionBody usual = RejectionBody.json();
        return (verdict, call) -> {
            if (isTooManyInConversation(verdict)) {
                return TOO_MANY_IN_CONVERSATION;
            }
            return call.path().startsWith("/index.php")
                    ? new RejectionBody.Content(
                            verdict.status(),
                            MediaType.APPLICATION_JSON_VALUE,
                            ErrorBody.of(verdict.status()).json(call.path()))
                    : usual.of(verdict, call);
        };
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

    /** After the sync configuration, which makes the workspaces. */
    @Bean
    SmartInitializingSingleton provisionedCoupons(WidgetSettings settings, Coupons coupons) {
        return () -> settings.provision()
                .coupons()
                .forEach(coupon -> coupons.grant(
                        coupon.workspace(), coupon.code(), coupon.description(), coupon.percent(), coupon.expiresAt()));
    }

    @Bean
    @ConditionalOnMissingBean(Assistant.class)
    Assistant documentAssistant(Documents documents) {
        return new DocumentAssistant(documents);
    }
}
