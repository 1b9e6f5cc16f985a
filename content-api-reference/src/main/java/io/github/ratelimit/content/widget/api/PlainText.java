package io.github.ratelimit.content.widget.api;

import jakarta.validation.Constraint;
import jakarta.validation.OverridesAttribute;
import jakarta.validation.Payload;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Text that every database stores and every client can show: no NUL, no half of a surrogate pair, not too long. Null passes. */
@Target({ElementType.FIELD, ElementType.RECORD_COMPONENT, ElementType.PARAMETER, ElementType.TYPE_USE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Constraint(validatedBy = {})
@Size(message = "must have at most {max} characters")
@Pattern(regexp = "[^\\x00\\p{Cs}]*+", message = "must be well-formed text without NUL")
public @interface PlainText {

    /**
     * Returns the most characters (UTF-16 units) that pass.
     *
     * @return at least 1
     */
    @OverridesAttribute(constraint = Size.class, name = "max")
    int max();

    /**
     * Returns the message; each of the two rules has its own.
     *
     * @return the message
     */
    String message() default "does not fit";

    /**
     * Returns the validation groups.
     *
     * @return none by default
     */
    Class<?>[] groups() default {};

    /**
     * Returns the payload.
     *
     * @return none by default
     */
    Class<? extends Payload>[] payload() default {};
}
