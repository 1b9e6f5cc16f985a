package io.github.ratelimit.spring.internal.method;

/** A method's argument as text. Apart from {@link ArgumentKey}, so that a call needs no expressions. */
public final class ArgumentText {

    private ArgumentText() {}

    /**
     * A value as a part of a key.
     *
     * <p>What {@code Object} says of itself differs for each instance, and each would be a key of its own.
     *
     * @param from what the value comes from
     * @throws IllegalStateException if it has no text of its own
     */
    public static String of(Object value, String from) {
        String text = value.toString();
        if (text.equals(value.getClass().getName() + "@" + Integer.toHexString(value.hashCode()))) {
            throw new IllegalStateException(
                    "key '%s' is a %s, which has no text of its own: each call would be counted alone; name a property of it, or give the class a toString()"
                            .formatted(from, value.getClass().getTypeName()));
        }
        return text;
    }
}
