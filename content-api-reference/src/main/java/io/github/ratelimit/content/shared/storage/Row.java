package io.github.ratelimit.content.shared.storage;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a row holds, by column. Immutable; safe for concurrent use. */
public final class Row {
    private final Columns columns;
    private final @Nullable Object[] values;

    Row(Columns columns, @Nullable Object[] values) {
        this.columns = columns;
        this.values = values;
    }

    /**
     * Tells what a column holds.
     *
     * @param column one of those that were read
     * @return empty, 0 or false where the database has nothing; nothing only of a moment
     * @param <V> its values
     * @throws IllegalArgumentException if the column was not read
     */
    public <V> @Nullable V find(Column<V> column) {
        return column.cast(values[columns.place(column)]);
    }

    /**
     * Tells what a column holds that always holds something.
     *
     * @param column one of those that were read; of moments, one that the database has a value of in each row
     * @return empty, 0 or false where the database has nothing
     * @param <V> its values
     * @throws IllegalArgumentException if the column was not read, or holds no moment
     */
    public <V> V get(Column<V> column) {
        V value = find(column);
        if (value == null) {
            throw new IllegalArgumentException("column " + column + " holds nothing");
        }
        return value;
    }

    /**
     * Makes a row that differs in a column.
     *
     * @param column one of those of this row
     * @param value what it is to hold; nothing only of a moment
     * @return holds the same otherwise
     * @param <V> its values
     * @throws IllegalArgumentException if this row has no such column
     */
    public <V> Row with(Column<V> column, @Nullable V value) {
        @Nullable Object[] changed = values.clone();
        changed[columns.place(column)] = value;
        return new Row(columns, changed);
    }

    /**
     * Spells its values as the database takes them.
     *
     * @return by the names of the columns, in their order, to be changed by the caller; {@code null} among them
     */
    public Map<String, @Nullable Object> bound() {
        Map<String, @Nullable Object> bound = new LinkedHashMap<>();
        for (int place = 0; place < values.length; place++) {
            Column<?> column = columns.at(place);
            bound.put(column.name(), column.bound(values[place]));
        }
        return bound;
    }

    /**
     * Counts the characters of its long texts.
     *
     * @return 0 or more
     */
    public long length() {
        long length = 0;
        for (int place : columns.longTexts()) {
            length += ((String) Objects.requireNonNull(values[place])).length();
        }
        return length;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Row row && row.columns == columns && Arrays.equals(row.values, values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }
}
