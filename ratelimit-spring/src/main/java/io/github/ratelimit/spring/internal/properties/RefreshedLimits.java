package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Rule;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Applies changed properties to limiters when Spring Cloud tells of a refresh: from the next decision, with counts kept.
 *
 * <p>All limiters follow or, where anything is wrong, none. Changes by an operator stay, unless the properties change.
 */
public final class RefreshedLimits implements ApplicationListener<ApplicationEvent> {

    /** By its name: whether Spring Cloud is there is the application's choice. */
    public static final String REFRESH = "org.springframework.cloud.context.environment.EnvironmentChangeEvent";

    private static final Log LOG = LogFactory.getLog(RefreshedLimits.class);

    private final ConfigurableEnvironment environment;
    private final LimiterSource described;
    private final Limiters<HttpCall> limiters;
    private Map<String, Object> last; // guarded by this

    public RefreshedLimits(
            ConfigurableEnvironment environment,
            RateLimitProperties properties,
            LimiterSource described,
            Limiters<HttpCall> limiters) {
        this.environment = environment;
        this.described = described;
        this.limiters = limiters;
        this.last = said(properties, specs(properties));
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (event.getClass().getName().equals(REFRESH)) {
            refresh();
        }
    }

    private synchronized void refresh() {
        try {
            RateLimitProperties properties = Binder.get(environment, new PropertyNames(BindHandler.DEFAULT))
                    .bindOrCreate("ratelimit", RateLimitProperties.class);
            List<LimiterSpec<HttpCall>> specs = specs(properties);
            Map<String, Object> now = said(properties, specs);
            specs.stream()
                    .filter(spec -> !Objects.equals(now.get(spec.name()), last.get(spec.name())))
                    .forEach(this::change);
            last = now;
        } catch (BindException | InvalidRateLimitException e) {
            LOG.error("all limits stay as they were before the refresh: " + reason(e));
        }
    }

    private static @Nullable String reason(RuntimeException failure) {
        return failure.getCause() == null
                ? failure.getMessage()
                : failure.getMessage() + ": " + failure.getCause().getMessage();
    }

    private void change(LimiterSpec<HttpCall> spec) {
        try {
            limiters.change(spec);
        } catch (IllegalArgumentException e) {
            LOG.warn("limiter '%s' follows its properties from the next start only: %s"
                    .formatted(spec.name(), e.getMessage()));
        }
    }

    private List<LimiterSpec<HttpCall>> specs(RateLimitProperties properties) {
        List<LimiterSpec<HttpCall>> specs = new ArrayList<>(described.byProperties(properties));
        specs.addAll(described.byAnnotations(properties));
        return specs;
    }

    /** The description of each limiter, in a form that can be compared. */
    private static Map<String, Object> said(RateLimitProperties properties, List<LimiterSpec<HttpCall>> specs) {
        Map<String, Object> said = new HashMap<>();
        for (LimiterSpec<HttpCall> spec : specs) {
            List<Object> all = new ArrayList<>();
            all.add(spec.onStoreFailure());
            all.add(spec.shadow());
            spec.rules().stream().map(Rule::limits).forEach(all::add);
            if (properties.limiters().containsKey(spec.name())) {
                all.add(properties.limiters().get(spec.name()));
            }
            said.put(spec.name(), all);
        }
        return said;
    }
}
