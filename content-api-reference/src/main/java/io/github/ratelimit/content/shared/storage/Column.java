package io.github.ratelimit.content.shared.storage;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table, and what its values are. Two of the same name, form and width are equal. Safe for concurrent use.
 *
 * @param <V> its values
 */
public final class Column<V> implements Comparable<Column<?>> {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

    /** Texts above this count as long: of shorter ones an answer is made of no more than of anything else. */
    private static final int LONG = 10_000;

    /** What values are, which is the same on each database. */
    public enum Form {
        /** A text, of no more characters than the column is wide. */
        TEXT("character varying"),
        /** A whole number. */
        NUMBER("bigint"),
        /** Yes or no. */
        FLAG("boolean"),
        /** A moment. */
        MOMENT("timestamp with time zone"),
        /** Bytes, as the order of a list has. */
        BYTES("bytea");

        private final String type;

        Form(String type) {
            this.type = type;
        }

        String type() {
            return type;
        }
    }

    private final String name;
    private final Form form;
    private final int width;
    private final Class<V> type;

    /** Where it was found last, which {@link Columns} looks at first: any value will do, whoever sets it meanwhile. */
    private int hint;

    private Column(String name, Form form, int width, Class<V> type) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "column '" + name + "': a name has 1..63 small letters, digits and underlines, a letter first");
        }
        this.name = name;
        this.form = form;
        this.width = width;
        this.type = type;
    }

    /**
     * Names a column of texts.
     *
     * @param name in small letters
     * @param width the characters that it holds, 1 or more; one beyond the first 65,536 counts as two
     * @return the column
     * @throws IllegalArgumentException if that is no name, or the width is below 1
     */
    public static Column<String> text(String name, int width) {
        if (width < 1) {
            throw new IllegalArgumentException("column '" + name + "': its width must be 1 or more, was " + width);
        }
        return new Column<>(name, Form.TEXT, width, String.class);
    }

    /**
     * Names a column of whole numbers.
     *
     * @param name in small letters
     * @return the column
     * @throws IllegalArgumentException if that is no name
     */
    public static Column<Long> number(String name) {
        return new Column<>(name, Form.NUMBER, 0, Long.class);
    }

    /**
     * Names a column of flags.
     *
     * @param name in small letters
     * @return the column
     * @throws IllegalArgumentException if that is no name
     */
    public static Column<Boolean> flag(String name) {
        return new Column<>(name, Form.FLAG, 0, Boolean.class);
    }

    /**
     * Names a column of moments.
     *
     * @param name in small letters
     * @return the column
     * @throws IllegalArgumentException if that is no name
     */
    public static Column<Instant> moment(String name) {
        return new Column<>(name, Form.MOMENT, 0, Instant.class);
    }

    /**
     * Names a column of bytes.
     *
     * @param name in small letters
     * @return the column
     * @throws IllegalArgumentException if that is no name
     */
    public static Column<byte[]> bytes(String name) {
        return new Column<>(name, Form.BYTES, 0, byte[].class);
    }

    /**
     * Tells its name.
     *
     * @return in small letters
     */
    public String name() {
        return name;
    }

    /**
     * Tells what its values are.
     *
     * @return the form
     */
    public Form form() {
        return form;
    }

    /**
     * Tells how long a text may be.
     *
     * @return characters; 0 of other forms
     */
    public int width() {
        return width;
    }

    /**
     * Says whether its texts may be so long that their length has to be asked for before they are read.
     *
     * @return false of other forms
     */
    public boolean isLong() {
        return width > LONG;
    }

    /**
     * Takes a value for what it is.
     *
     * @param value of this column, or nothing
     * @return the same
     * @throws ClassCastException if it is none of this column's
     */
    public @Nullable V cast(@Nullable Object value) {
        return type.cast(value);
    }

    /**
     * Spells a value as the database takes it.
     *
     * @param value of this column, or nothing
     * @return the value of a parameter
     */
    public @Nullable Object bound(@Nullable Object value) {
        return value instanceof Instant moment ? moment.atOffset(ZoneOffset.UTC) : value;
    }

    int hint() {
        return hint;
    }

    void hint(int place) {
        hint = place;
    }

    /** Tells what a row holds of which nothing is said. */
    @Nullable
    Object empty() {
        return switch (form) {
            case TEXT -> "";
            case NUMBER -> 0L;
            case FLAG -> false;
            case MOMENT, BYTES -> null;
        };
    }

    /** Reads a value: where the database has none, the empty one of the form, but for moments and bytes. */
    @Nullable
    Object read(ResultSet row, int place) throws SQLException {
        return switch (form) {
            case TEXT -> Objects.requireNonNullElse(row.getString(place), "");
            case NUMBER -> row.getLong(place);
            case FLAG -> row.getBoolean(place);
            case MOMENT -> {
                OffsetDateTime moment = row.getObject(place, OffsetDateTime.class);
                yield moment == null ? null : moment.toInstant();
            }
            case BYTES -> row.getBytes(place);
        };
    }

    /** Spells the column as a migration does. */
    String definition() {
        return switch (form) {
            case TEXT -> name + " varchar(" + width + ") default '' not null";
            case NUMBER -> name + " bigint default 0 not null";
            case FLAG -> name + " boolean default false not null";
            case MOMENT, BYTES -> name + " " + form.type();
        };
    }

    @Override
    public int compareTo(Column<?> other) {
        return name.compareTo(other.name);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other == this
                || (other instanceof Column<?> column
                        && column.name.equals(name)
                        && column.form == form
                        && column.width == width);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name + " (" + form.name().toLowerCase(Locale.ROOT) + (width > 0 ? " of " + width : "") + ")";
    }
}
