package io.github.ratelimit.content.widget.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Names the refusals of a method that say something of what was asked for, for the description of the surface. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Refuses {

    /**
     * Returns the statuses.
     *
     * @return each one that {@code components.responses} of the description describes
     */
    int[] value();
}
