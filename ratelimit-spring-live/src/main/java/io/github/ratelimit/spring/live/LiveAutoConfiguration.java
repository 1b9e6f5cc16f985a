package io.github.ratelimit.spring.live;

import io.github.ratelimit.Store;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.autoconfigure.RateLimitAutoConfiguration;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Serves the live page where it is switched on, and limits are.
 *
 * <p>Public so that it can be named, in {@code exclude} of {@code @SpringBootApplication} or in {@code @AutoConfigureAfter}. It is of no other
 * use.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnWebApplication
@Conditional(LiveAutoConfiguration.Enabled.class)
@EnableConfigurationProperties(LiveProperties.class)
@ImportRuntimeHints(LiveAutoConfiguration.Files.class)
public final class LiveAutoConfiguration {

    /** Makes it. */
    public LiveAutoConfiguration() {}

    @Bean("io.github.ratelimit.rateLimitLivePage")
    LivePage rateLimitLivePage(LiveProperties properties) {
        return new LivePage(properties.path());
    }

    @Bean("io.github.ratelimit.rateLimitLiveRecorder")
    LiveRecorder rateLimitLiveRecorder(Store store) {
        return new LiveRecorder(store.time());
    }

    @Bean("io.github.ratelimit.rateLimitLiveFeed")
    LiveFeed rateLimitLiveFeed(LiveRecorder recorder, HttpRateLimiter limiter, Store store) {
        LiveFrame frame =
                new LiveFrame(recorder, limiter.limiters(), store.getClass().getSimpleName());
        return new LiveFeed(store.time(), frame::json);
    }

    /** Serves the page on MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherServlet.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnMvc {

        @Bean("io.github.ratelimit.rateLimitLiveController")
        MvcLiveController rateLimitLiveController(LivePage page, LiveFeed feed, Environment environment) {
            String servlet = environment.getProperty("spring.mvc.servlet.path", "/");
            if (!servlet.equals("/")) {
                LogFactory.getLog(LivePage.class)
                        .warn(
                                "The live page is at %s%s, below spring.mvc.servlet.path; protect that path, as a rule for %s alone leaves it open"
                                        .formatted(servlet, page.path(), page.path()));
            }
            return new MvcLiveController(page, feed);
        }
    }

    /** Serves the page on WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherHandler.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class OnWebFlux {

        @Bean("io.github.ratelimit.rateLimitLiveController")
        WebFluxLiveController rateLimitLiveController(LivePage page, LiveFeed feed) {
            return new WebFluxLiveController(page, feed);
        }
    }

    /** Whether the page and limits are switched on, as bound properties say. */
    static final class Enabled implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            return environment.getProperty("ratelimit.live.enabled", Boolean.class, false)
                    && environment.getProperty("ratelimit.enabled", Boolean.class, true);
        }
    }

    /** Takes the files of the page along into a native image. */
    static final class Files implements RuntimeHintsRegistrar {

        @Override
        public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
            hints.resources().registerPattern("io/github/ratelimit/spring/live/*");
        }
    }
}
