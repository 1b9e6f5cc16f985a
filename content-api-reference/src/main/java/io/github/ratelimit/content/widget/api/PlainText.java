package io.github.ratelimit.content.widget.api;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;

/**
 * Text that every database stores and every client can show: no NUL, no half of a surrogate pair, not too long. Null
 * passes; a blank text does too unless {@link #required} says otherwise.
 */
@Target({ElementType.FIELD, ElementType.RECORD_COMPONENT, ElementType.PARAMETER, ElementType.TYPE_USE})
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Constraint(validatedBy = PlainText.Check.class)
public @interface PlainText {

    /**
     * Returns the most characters (UTF-16 units) that pass.
     *
     * @return at least 1
     */
    int max();

    /**
     * Returns whether there must be a text.
     *
     * @return true: null and white space alone are rejected
     */
    boolean required() default false;

    /**
     * Returns the message; the check replaces it by one that says which rule was broken.
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

    /** The check behind the annotation. */
    final class Check implements ConstraintValidator<PlainText, String> {

        private int max;
        private boolean required;

        @Override
        public void initialize(PlainText rule) {
            max = rule.max();
            required = rule.required();
        }

        @Override
        public boolean isValid(@Nullable String text, ConstraintValidatorContext context) {
            String problem = problem(text, max, required);
            if (problem == null) {
                return true;
            }
            context.disableDefaultConstraintViolation();
            context.buildConstraintViolationWithTemplate(problem).addConstraintViolation();
            return false;
        }

        /**
         * Says what is wrong with a text that no annotation can stand on, a parameter of the query for example.
         *
         * @param text any text
         * @param max the most characters that pass
         * @param required whether there must be a text
         * @return the problem; null where the text fits
         */
        public static @Nullable String problem(@Nullable String text, int max, boolean required) {
            if (text == null || text.isBlank()) {
                if (required) {
                    return "is required";
                }
                if (text == null) {
                    return null;
                }
            }
            if (text.length() > max) {
                return "must have at most " + max + " characters";
            }
            // One pass: codePoints() leaves only unpaired surrogates in the surrogate range.
            boolean storable = text.codePoints()
                    .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
            return storable ? null : "must be well-formed text without NUL";
        }
    }
}
