package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.Limit.Shape;
import io.github.ratelimit.Rule;
import io.github.ratelimit.control.OperatorChanges;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.Outcomes;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.spring.internal.Diagnostic;
import io.github.ratelimit.spring.internal.annotation.AnnotatedBeans;
import io.github.ratelimit.spring.internal.diagnostics.Diagnostics;
import io.github.ratelimit.spring.internal.diagnostics.LimitedRequests;
import io.github.ratelimit.spring.internal.diagnostics.StartCheck;
import io.github.ratelimit.spring.internal.diagnostics.StartReport;
import io.github.ratelimit.spring.internal.method.MethodLimitPostProcessor;
import io.github.ratelimit.spring.internal.method.MethodLimits;
import io.github.ratelimit.spring.internal.properties.ConfiguredPaths;
import io.github.ratelimit.spring.internal.properties.MethodKeys;
import io.github.ratelimit.spring.internal.properties.RateLimitProperties;
import java.util.Locale;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Checks limits once all beans are there, and reads the operators' changes before the application accepts requests: after the store has answered,
 * and before the web server. Then reports what is limited, so that the report has the changes.
 */
final class LimitsStart implements SmartInitializingSingleton, SmartLifecycle {

    private static final Log LOG = LogFactory.getLog(LimitsStart.class);

    private final MethodLimits limits;
    private final MethodLimitPostProcessor processor;
    private final ConfigurableListableBeanFactory beans;
    private final HttpRateLimiter http;
    private final RateLimitProperties properties;
    private final OperatorChanges<HttpCall> changes;
    private final Diagnostics diagnostics;
    private volatile boolean running;

    LimitsStart(
            MethodLimits limits,
            MethodLimitPostProcessor processor,
            ConfigurableListableBeanFactory beans,
            HttpRateLimiter http,
            RateLimitProperties properties,
            OperatorChanges<HttpCall> changes,
            Diagnostics diagnostics) {
        this.limits = limits;
        this.processor = processor;
        this.beans = beans;
        this.http = http;
        this.properties = properties;
        this.changes = changes;
        this.diagnostics = diagnostics;
    }

    @Override
    public void afterSingletonsInstantiated() {
        MethodKeys keys = new MethodKeys(http.limiters());
        beans.getBeanProvider(AnnotatedBeans.class)
                .ifAvailable(read -> read.namesOfRequests().forEach(keys::requireNoArguments));
        keys.requireNoArguments(properties);
        beans.getBeanProvider(LimitedRequests.class).ifAvailable(places -> places.leaveToAdapter(limits));
        StartCheck.requireLimited(beans, limits, keys, processor, diagnostics);
        for (OutgoingLimit outgoing : beans.getBeanProvider(OutgoingLimit.class)) {
            warnOfCount(outgoing.limiter());
        }
        properties.limiters().forEach((name, limiter) -> {
            if (limiter.permitsAhead() && http.limiters().names().contains(name)) {
                requireWindows(name);
            }
        });
        // In every application: a mistake is reported even if no filter asks the rules of paths.
        ConfiguredPaths.rules(properties, http.limiters().names());
    }

    /** Permits of other shapes come back one by one, so that none is taken ahead. */
    private void requireWindows(String name) {
        for (Rule<HttpCall> rule : http.limiters().spec(name).rules()) {
            Shape.Kind kind = rule.limits().get(0).shape().kind();
            if (kind != Shape.Kind.FIXED && kind != Shape.Kind.CALENDAR) {
                LOG.warn("permits-ahead of limiter '" + name + "' has no effect: limit '"
                        + rule.limits().get(0).name() + "' is " + kind.name().toLowerCase(Locale.ROOT)
                        + ", and only fixed and calendar windows take part; remove permits-ahead, or the shape");
            }
        }
    }

    /** What an outgoing call comes to is not asked. */
    private void warnOfCount(String name) {
        if (http.limiters().names().contains(name)
                && !Outcomes.countsAll(http.limiters().spec(name))) {
            diagnostics.warn(
                    Diagnostic.UNREAD_ANNOTATION,
                    "count of limiter '%s' (%s) has no effect on outgoing calls: each of them counts; remove count, or refund the decision of a call that should not count"
                            .formatted(name, Outcomes.text(http.limiters().spec(name))));
        }
    }

    @Override
    public void start() {
        running = true;
        changes.start();
        StartReport report = new StartReport(http.limiters(), changes);
        beans.getBeanProvider(LimitedRequests.class).ifAvailable(report::log);
        report.log(limits);
    }

    @Override
    public void stop() {
        running = false;
        changes.close();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE + 1;
    }
}
