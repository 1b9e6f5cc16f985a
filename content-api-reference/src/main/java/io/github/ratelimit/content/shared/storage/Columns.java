package io.github.ratelimit.content.shared.storage;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The columns of a table that are read together. Immutable; safe for concurrent use. */
public final class Columns {
    private final Column<?>[] all;
    private final Map<Column<?>, Integer> places;
    private final int[] longTexts;

    private Columns(List<Column<?>> all, Map<Column<?>, Integer> places) {
        this.all = all.toArray(Column<?>[]::new);
        this.places = places;
        this.longTexts = IntStream.range(0, all.size())
                .filter(place -> all.get(place).isLong())
                .toArray();
    }

    /**
     * Puts columns together.
     *
     * @param columns some of them may be the same
     * @return each of them once, in the order in which they are named first
     * @throws IllegalArgumentException if two have the same name and are not the same
     */
    public static Columns of(Collection<? extends Column<?>> columns) {
        Map<String, Column<?>> byName = new HashMap<>();
        List<Column<?>> all = new ArrayList<>();
        for (Column<?> column : columns) {
            Column<?> known = byName.putIfAbsent(column.name(), column);
            if (known == null) {
                all.add(column);
            } else if (!known.equals(column)) {
                throw new IllegalArgumentException("a column is declared as " + known + " and as " + column);
            }
        }
        Map<Column<?>, Integer> places =
                IntStream.range(0, all.size()).boxed().collect(Collectors.toMap(all::get, place -> place));
        return new Columns(List.copyOf(all), places);
    }

    /**
     * Lists their names, as a statement selects them.
     *
     * @param prefix before each of them, such as {@code a.}, or nothing
     * @return with commas between
     */
    public String names(String prefix) {
        return Arrays.stream(all).map(column -> prefix + column.name()).collect(Collectors.joining(", "));
    }

    /**
     * Lists their names.
     *
     * @return in the order of the columns
     */
    public List<String> names() {
        return Arrays.stream(all).map(Column::name).toList();
    }

    /**
     * Lists those whose texts may be long.
     *
     * @return in the order of the columns
     */
    public List<String> longNames() {
        return Arrays.stream(all).filter(Column::isLong).map(Column::name).toList();
    }

    /**
     * Reads a row whose first values are those of these columns, in their order.
     *
     * @param result stands at the row
     * @return what it holds
     * @throws SQLException if the database does not give it
     */
    public Row read(ResultSet result) throws SQLException {
        @Nullable Object[] values = new @Nullable Object[all.length];
        for (int place = 0; place < values.length; place++) {
            values[place] = all[place].read(result, place + 1);
        }
        return new Row(this, values);
    }

    /**
     * Makes a row of which nothing is said.
     *
     * @return holds empty texts, 0, false and no moments
     */
    public Row empty() {
        return new Row(this, Arrays.stream(all).map(Column::empty).toArray());
    }

    Column<?> at(int place) {
        return all[place];
    }

    int[] longTexts() {
        return longTexts;
    }

    int place(Column<?> column) {
        int hint = column.hint();
        // Each item is asked for some thirty columns, and rows are read more often than anything else.
        if (hint < all.length && all[hint].equals(column)) {
            return hint;
        }
        Integer place = places.get(column);
        if (place == null) {
            throw new IllegalArgumentException("column " + column + " is not read");
        }
        column.hint(place);
        return place;
    }
}
