package io.github.ratelimit.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Limits a controller's method, or all methods of a controller; or those of any other bean of an application.
 *
 * <p>Either by the name of a limiter that is described elsewhere, {@code @RateLimit("comments")}, or by a limiter described in place,
 * {@code @RateLimit(permits = 600, window = "1m", key = "client-address")}.
 *
 * <p>Repeatable: a request needs the permits of every limiter, all of them are one decision, and a refusal by one costs the others nothing.
 * What stands on the class holds for each of its methods beside what stands on them, but for those with {@link NoRateLimit}. May stand on an annotation of your own. On overriding
 * methods and on subclasses the nearest ones hold; two places of which neither overrides the other stop the start. A limiter described on a class is one for all its methods. Decided after authentication, when
 * the method that will handle the request is known.
 *
 * <p>On a bean that is no controller, calls of the method from other beans are limited, and a refusal is a {@link RateLimitException}. Keys are made of
 * the method's arguments, {@code key = "#tenant"}.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Reflective
@Repeatable(RateLimits.class)
public @interface RateLimit {

    /** The name of a limiter. Not together with any other member: the key of a limiter that is named stands where it is described. */
    String value() default "";

    /** How many permits a window grants, 1 or more; with {@link #window()}. */
    long permits() default 0;

    /** The permits as a text, instead of {@link #permits()}: a placeholder for a property that says them, <code>${my.permits:600}</code>. */
    String permitsString() default "";

    /**
     * The period that is counted over, for example {@code 500ms}, {@code 1m}, {@code 24h} or {@code PT1M}; or a placeholder for a property that
     * says it, <code>${my.window:1m}</code>. A number without a unit is in seconds.
     */
    String window() default "";

    /**
     * Whose requests are counted together: {@code client-address}, {@code user-agent}, {@code principal}, {@code header:<Name>},
     * {@code attribute:<name>}, {@code everybody} or the name of a {@code KeyResolver} bean. Several are parts of one key; {@code a | b} is b where a is
     * absent.
     *
     * <p>On a bean that is no controller: an expression that begins with a parameter, {@code #tenant} or {@code #order.customer}, {@code everybody}, or
     * the name of a {@code KeyResolver} bean.
     */
    String[] key() default "client-address";

    /**
     * What the limiter described here is called in counters, fields and metrics. Places that give the same name and the same description
     * share their counts.
     *
     * <p>If not given, after the controller, the method and the types of its parameters, {@code PostController.find-String-int}: other
     * methods beside it change nothing. Where two places come to one name, the start fails: then give one.
     */
    String name() default "";

    /**
     * The longest that a call waits for its permit, for example {@code 2s}, or a placeholder for a property that says it; nobody waits if it is not
     * given. On methods with one limiter of beans that are no controllers only; also beside the name of a limiter.
     */
    String maxWait() default "";
}
