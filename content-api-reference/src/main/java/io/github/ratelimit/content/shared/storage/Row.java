package io.github.ratelimit.content.shared.storage;

import java.util.Arrays;
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
