package io.github.ratelimit.test;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a new clock, a store that counts by it, and limiters over that store. Tests share no permits, and no test waits for a
 * window.
 *
 * <p>Tests and {@code @BeforeEach} methods ask for what they need by a parameter: {@link TestClock} (or {@link TimeSource}), {@link Store} (or
 * {@link InProcessStore}), {@link Limiters}, and {@link Limiter} where exactly one is described. Parameters of one test share one clock and one
 * store. Code that makes its limiter itself is given the store:
 *
 * <pre>{@code
 * @ExtendWith(RateLimitExtension.class)
 * }</pre>
 *
 * <p>Otherwise describe the limiters:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final RateLimitExtension LIMITS = RateLimitExtension.of(LimiterSpec.of("mails", Limit.of(2, Duration.ofHours(1)), Key::of));
 * }</pre>
 *
 * <p>Safe for tests that run in parallel.
 */
public final class RateLimitExtension implements BeforeEachCallback, ParameterResolver {

    /** The values of one test's parameters. */
    private record Bed(TestClock clock, InProcessStore store, Limiters<?> limiters) {

        static <R> Bed of(List<LimiterSpec<R>> specs) {
            TestClock clock = new TestClock();
            InProcessStore store = InProcessStore.create(clock);
            Limiters.Builder<R> limiters = Limiters.builder(store);
            specs.forEach(limiters::add);
            return new Bed(clock, store, limiters.build());
        }
    }

    private static final Namespace NAMESPACE = Namespace.create(RateLimitExtension.class);
    private static final Set<Class<?>> TYPES =
            Set.of(TestClock.class, TimeSource.class, Store.class, InProcessStore.class, Limiters.class, Limiter.class);

    private final List<? extends LimiterSpec<?>> specs;

    /** Makes one without limiters: for {@code @ExtendWith}. */
    public RateLimitExtension() {
        this(List.of());
    }

    private RateLimitExtension(List<? extends LimiterSpec<?>> specs) {
        this.specs = specs;
    }

    /**
     * Makes one that gives tests these limiters.
     *
     * @throws IllegalArgumentException if two have one name
     */
    @SafeVarargs
    public static <R> RateLimitExtension of(LimiterSpec<R>... specs) {
        List<LimiterSpec<R>> all = new ArrayList<>();
        for (LimiterSpec<R> spec : specs) {
            all.add(spec);
        }
        Bed.of(all); // the failure stands where the mistake is written
        return new RateLimitExtension(List.copyOf(all));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put(this, bed());
    }

    @SuppressWarnings("unchecked") // all are of one type, as of(…) wants them
    private Bed bed() {
        return Bed.of((List<LimiterSpec<Object>>) specs);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return TYPES.contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        @Nullable Bed bed = context.getStore(NAMESPACE).get(this, Bed.class);
        if (bed == null || parameter.getDeclaringExecutable() instanceof Constructor) {
            throw new ParameterResolutionException(
                    "%s is made for each test: ask for it by a parameter of the test or of a @BeforeEach method"
                            .formatted(type.getSimpleName()));
        }
        if (type == Limiters.class) {
            return bed.limiters();
        }
        if (type == Limiter.class) {
            return only(bed.limiters());
        }
        return type.isInstance(bed.clock()) ? bed.clock() : bed.store();
    }

    private static Limiter<?> only(Limiters<?> limiters) {
        if (limiters.names().size() != 1) {
            throw new ParameterResolutionException(
                    "there are %d limiters: ask for Limiters and get one by its name, or describe exactly one by RateLimitExtension.of(…)"
                            .formatted(limiters.names().size()));
        }
        return limiters.get(limiters.names().iterator().next());
    }
}
