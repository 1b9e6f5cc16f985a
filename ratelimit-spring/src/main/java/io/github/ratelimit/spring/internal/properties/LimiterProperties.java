package io.github.ratelimit.spring.internal.properties;

import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.spring.internal.properties.RuleProperties.ShapeName;
import io.github.ratelimit.spring.internal.properties.RuleProperties.Window;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * A limiter: one rule, said directly, or several by name.
 *
 * @param permits as of {@link RuleProperties}
 * @param soft as of {@link RuleProperties}
 * @param plans as of {@link RuleProperties}
 * @param planBy as of {@link RuleProperties}
 * @param permitsBy as of {@link RuleProperties}
 * @param window as of {@link RuleProperties}
 * @param shape as of {@link RuleProperties}
 * @param burst as of {@link RuleProperties}
 * @param block as of {@link RuleProperties}
 * @param lease as of {@link RuleProperties}
 * @param zone as of {@link RuleProperties}
 * @param anchor as of {@link RuleProperties}
 * @param anchorBy as of {@link RuleProperties}
 * @param key as of {@link RuleProperties}
 * @param skipIf as of {@link RuleProperties}
 * @param rules Several rules by name, instead of one said directly; a request needs the permits of each.
 * @param paths Limited paths: POST /login, or /api/** for every method, below the application's root.
 * @param exclude Paths that it does not limit.
 * @param onStoreFailure Its policy in an outage of the store.
 * @param shadow Whether it is only counted and metered: then it rejects nothing and writes no header field.
 * @param count Outcomes of requests that it counts: failures, successes, statuses such as 401 or 5xx. If not set, all.
 * @param atMost The share of a limit that one request takes at most before it is settled, for example 0.25. If not set, all of it.
 * @param permitsAhead Whether a shared store takes permits of hot keys ahead.
 * @param phase When it decides about paths: before authentication or after it. If not set: after, if a key, a plan or a
 *     role needs it or a bean is named, else before.
 * @param cost Permits that a request takes: a number, header:NAME, content-length/64KB, or a ToLongFunction bean. If not set, 1.
 */
public record LimiterProperties(
        @Nullable Long permits,
        @Nullable Boolean soft,
        @Nullable Map<String, Long> plans,
        @Nullable String planBy,
        @Nullable String permitsBy,
        @Nullable Window window,
        @Nullable ShapeName shape,
        @Nullable Long burst,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration block,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration lease,
        @Nullable ZoneId zone,
        @Nullable String anchor,
        @Nullable String anchorBy,
        @Nullable List<String> key,
        @Nullable List<String> skipIf,
        @DefaultValue Map<String, RuleProperties> rules,
        @DefaultValue List<String> paths,
        @DefaultValue List<String> exclude,
        @Nullable OnStoreFailure onStoreFailure,
        @DefaultValue("false") boolean shadow,
        @DefaultValue List<String> count,
        @Nullable Double atMost,
        @DefaultValue("false") boolean permitsAhead,
        @Nullable Phase phase,
        @Nullable String cost) {

    /** The rule of the limiter itself; empty if there are rules by name. */
    RuleProperties direct() {
        return new RuleProperties(
                permits, soft, plans, planBy, permitsBy, window, shape, burst, block, lease, zone, anchor, anchorBy,
                key, skipIf);
    }

    /** The whole of it, where an annotation says the rest. */
    LimiterProperties beside(long permits, @Nullable Window window, List<String> key) {
        return new LimiterProperties(
                this.permits == null && plans == null ? Long.valueOf(permits) : this.permits,
                soft,
                plans,
                planBy,
                permitsBy,
                this.window == null && shape != ShapeName.CONCURRENT ? window : this.window,
                shape,
                burst,
                block,
                lease,
                zone,
                anchor,
                anchorBy,
                this.key == null ? key : this.key,
                skipIf,
                rules,
                paths,
                exclude,
                onStoreFailure,
                shadow,
                count,
                atMost,
                permitsAhead,
                phase,
                cost);
    }

    /** Whether it only says where a limiter is asked that an annotation or a bean describes. */
    boolean isDescribedElsewhere() {
        return direct().isEmpty()
                && rules.isEmpty()
                && !paths.isEmpty()
                && onStoreFailure == null
                && !shadow
                && count.isEmpty()
                && atMost == null
                && !permitsAhead
                && phase == null;
    }
}
