package io.github.ratelimit;

import static java.util.Objects.requireNonNull;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The counter of a request: one or more parts, each present or absent.
 *
 * <p>Parts are never joined into one text, so {@code a|b} and {@code c} differ from {@code a} and {@code b|c}, and an absent part
 * differs from every present one. Immutable and safe for concurrent use. Keys are personal data: {@link #toString()} does not
 * show them.
 *
 * <pre>{@code
 * Key address = Key.of("203.0.113.7");
 * Key addressAndAgent = address.and(Key.of("agent/1"));
 * Key addressAlone = address.and(Key.absent()); // no agent was sent: a key of its own
 * }</pre>
 */
public final class Key {

    private static final Key ABSENT = new Key(null, null, false);

    /** The resolver of {@link KeyResolver#everybody()}. */
    static final KeyResolver<Object> EVERYBODY = request -> ABSENT;

    private final @Nullable String part;
    private final @Nullable Key rest;
    private final boolean replaced; // absent, and the rest stands for it

    private Key(@Nullable String part, @Nullable Key rest, boolean replaced) {
        this.part = part;
        this.rest = rest;
        this.replaced = replaced;
    }

    /**
     * Makes a key of one present part.
     *
     * @param part any text, also an empty one
     */
    public static Key of(String part) {
        return new Key(requireNonNull(part, "part"), null, false);
    }

    /** The key of one absent part: all who lack it share one count. */
    public static Key absent() {
        return ABSENT;
    }

    /** This key's parts followed by the other's. */
    public Key and(Key other) {
        return new Key(part, rest == null ? other : rest.and(other), replaced);
    }

    /** This key, all of which is absent, followed by the one that stands for it. */
    Key replacedBy(Key other) {
        return new Key(null, rest == null ? other : rest.replacedBy(other), true);
    }

    /** Whether every part is absent. */
    public boolean isAbsent() {
        return part == null && (rest == null || rest.isAbsent());
    }

    /** Whether every part is present, or another one stands for it. */
    public boolean isWhole() {
        return (part != null || replaced) && (rest == null || rest.isWhole());
    }

    /** The first present part; empty if there is none. */
    public Optional<String> firstPresent() {
        Key key = this;
        while (key.part == null && key.rest != null) {
            key = key.rest;
        }
        return Optional.ofNullable(key.part);
    }

    /** The first part; null if it is absent. */
    @Nullable
    String part() {
        return part;
    }

    /** The parts after the first; null if there are none. */
    @Nullable
    Key rest() {
        return rest;
    }

    /**
     * All parts as one text from which they can be told apart again: for each part its length, a colon and the part, or a
     * single {@code -} where it is absent.
     *
     * <p>For stores that name their counters by text. As long as the parts: digest it before it is stored.
     */
    public String encoded() {
        StringBuilder text = new StringBuilder();
        for (Key key = this; key != null; key = key.rest) {
            if (key.part == null) {
                text.append('-');
            } else {
                text.append(key.part.length()).append(':').append(key.part);
            }
        }
        return text.toString();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Key key && Objects.equals(part, key.part) && Objects.equals(rest, key.rest));
    }

    @Override
    public int hashCode() {
        return 31 * Objects.hashCode(part) + (rest == null ? 1 : rest.hashCode()); // a text keeps its own
    }

    /** How many parts there are, and nothing of what they say. */
    @Override
    public String toString() {
        int parts = 1;
        for (Key key = rest; key != null; key = key.rest) {
            parts++;
        }
        return "Key[" + parts + (parts == 1 ? " part]" : " parts]");
    }
}
