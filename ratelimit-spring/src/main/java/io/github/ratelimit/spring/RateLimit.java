package io.github.ratelimit.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Limits requests to a controller's method, or to all methods of a controller. On any other bean it limits calls of methods.
 *
 * <p>Names a limiter of the configuration, {@code @RateLimit("comments")}, or describes one in place,
 * {@code @RateLimit(permits = 600, window = "1m", key = "client-address")}.
 *
 * <ul>
 *   <li>Repeatable: all limiters of a request are one decision. It takes permits of all or of none.
 *   <li>On a class it limits all methods, in addition to their own annotations, except those with {@link NoRateLimit}. A limiter described on
 *       a class is one budget for all methods.
 *   <li>It works in annotations of your own. The nearest annotation wins over those of superclasses and interfaces. Two
 *       interfaces that say different things stop the startup.
 *   <li>Limits of controllers are decided after authentication, when the method is known.
 *   <li>On other beans, calls from other beans are limited. A rejected call throws a {@link RateLimitException}. The key is made of the
 *       arguments, {@code key = "#tenant"}.
 * </ul>
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
@Repeatable(RateLimits.class)
public @interface RateLimit {

    /** The name of a limiter of the configuration. No other member is allowed beside it, except {@link #cost} and {@link #maxWait}. */
    String value() default "";

    /** The permits of a window, 1 or more; with {@link #window()}. */
    long permits() default 0;

    /** A placeholder for the permits, instead of {@link #permits()}: <code>${my.permits:600}</code>. */
    String permitsString() default "";

    /**
     * The length of the window, for example {@code 500ms}, {@code 1m}, {@code 24h} or {@code PT1M}, in seconds if it has no unit; or a
     * placeholder, <code>${my.window:1m}</code>; or {@code day}, {@code week}, {@code month}, {@code quarter} or {@code year} of UTC.
     */
    String window() default "";

    /**
     * The key: {@code client-address}, {@code user-agent}, {@code principal}, {@code header:<Name>}, {@code attribute:<name>},
     * {@code everybody} or the name of a {@code KeyResolver} bean. Several names are parts of one key. In {@code a | b}, b counts if a is
     * absent.
     *
     * <p>On a bean that is not a controller: an expression that begins with a parameter, {@code #tenant} or {@code #order.customer},
     * {@code everybody}, or the name of a {@code KeyResolver} bean.
     */
    String[] key() default "client-address";

    /**
     * The name of the limiter described here, in counters, fields and metrics. Places with the same name and description share their counts.
     *
     * <p>By default it is made of class, method and parameter types, {@code PostController.find-String-int}, so other methods do not change
     * it. If two places get the same name, the startup fails: give one of them a name.
     */
    String name() default "";

    /**
     * The outcomes of requests that count: {@code failures}, {@code successes}, statuses such as {@code 401} or {@code 5xx}; by default all.
     * Permits of other requests return at their end. Only for controllers.
     */
    String[] count() default {};

    /**
     * The permits that a request or a call takes, by an expression of the method's arguments: {@code #question.maxTokens()}; by default the
     * limiter's own cost. If it cannot be read or is negative, a request is answered with 400, and the call of another bean's method throws an
     * {@link IllegalArgumentException}.
     *
     * <p>All limiters of the method then decide when its arguments are known, after the body is read. On WebFlux, the controller's method
     * has to return a {@code Mono} or a {@code Flux}, or be a {@code suspend} function.
     */
    String cost() default "";

    /**
     * The longest wait of a call for its permit, for example {@code 2s}, or a placeholder; without it calls do not wait. Only for methods with
     * one limiter on beans that are not controllers.
     */
    String maxWait() default "";
}
