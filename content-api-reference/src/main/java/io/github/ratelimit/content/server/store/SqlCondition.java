package io.github.ratelimit.content.server.store;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A condition on the rows of a table.
 *
 * @param sql constant text with a mark for each value; the table has the name that its queries give it
 * @param values in the order of the marks
 */
public record SqlCondition(String sql, List<Object> values) {
    /**
     * Makes one of constant text.
     *
     * @param sql with a mark for each value
     * @param values in the order of the marks
     */
    public SqlCondition(String sql, Object... values) {
        this(sql, List.of(values));
    }

    /**
     * Asks for one of some numbers, all of which are one value: a mark for each would meet the limits of the databases.
     *
     * @param column constant text
     * @param numbers any; none are fulfilled by no row
     * @return the condition
     */
    public static SqlCondition isOneOf(String column, Collection<Long> numbers) {
        return new SqlCondition(column + " = any (?)", (Object) numbers.toArray(Long[]::new));
    }

    /**
     * Asks for other numbers than some.
     *
     * @param column constant text
     * @param numbers any; none are fulfilled by every row
     * @return the condition
     */
    public static SqlCondition isNoneOf(String column, Collection<Long> numbers) {
        return new SqlCondition("not (" + column + " = any (?))", (Object) numbers.toArray(Long[]::new));
    }

    /**
     * Asks for one of some texts.
     *
     * @param column constant text
     * @param texts any; none are fulfilled by no row
     * @return the condition
     */
    public static SqlCondition isOneOfTexts(String column, Collection<String> texts) {
        return new SqlCondition(column + " = any (?)", (Object) texts.toArray(String[]::new));
    }

    /**
     * Joins the place in a list of numbers, as the column {@code given.place}.
     *
     * @param column constant text
     * @param numbers any
     * @return behind {@code from}; empty for no numbers
     */
    public static Optional<SqlCondition> placeInNumbers(String column, List<Long> numbers) {
        return place(column, "bigint", numbers.stream().distinct().toArray(Long[]::new));
    }

    /**
     * Joins the place in a list of texts, as the column {@code given.place}.
     *
     * @param column constant text
     * @param texts any
     * @return behind {@code from}; empty for no texts
     */
    public static Optional<SqlCondition> placeInTexts(String column, List<String> texts) {
        return place(column, "varchar", texts.stream().distinct().toArray(String[]::new));
    }

    private static Optional<SqlCondition> place(String column, String type, Object[] list) {
        String join = " join unnest(cast(? as " + type
                + " array)) with ordinality as given (named, place) on given.named = " + column;
        return list.length == 0 ? Optional.empty() : Optional.of(new SqlCondition(join, (Object) list));
    }

    /**
     * Asks for the opposite.
     *
     * @return the condition
     */
    public SqlCondition negated() {
        return new SqlCondition("not (" + sql + ")", values);
    }

    /**
     * Asks for all of some conditions.
     *
     * @param conditions at least one
     * @return the condition
     */
    public static SqlCondition allOf(List<SqlCondition> conditions) {
        return joined(" and ", conditions);
    }

    /**
     * Asks for any of some conditions.
     *
     * @param conditions at least one
     * @return the condition
     */
    public static SqlCondition anyOf(List<SqlCondition> conditions) {
        return joined(" or ", conditions);
    }

    /**
     * Tells the place of the first condition that a row fulfils.
     *
     * @param conditions any
     * @return a number from 0; empty text for no conditions
     */
    public static SqlCondition rank(List<SqlCondition> conditions) {
        String cases = IntStream.range(0, conditions.size())
                .mapToObj(place -> "when " + conditions.get(place).sql() + " then " + place)
                .collect(Collectors.joining(" ", "case ", " else " + conditions.size() + " end"));
        return new SqlCondition(conditions.isEmpty() ? "" : cases, values(conditions));
    }

    private static List<Object> values(List<SqlCondition> conditions) {
        return conditions.stream()
                .flatMap(condition -> condition.values().stream())
                .toList();
    }

    private static SqlCondition joined(String word, List<SqlCondition> conditions) {
        if (conditions.size() == 1) {
            return conditions.get(0);
        }
        return new SqlCondition(
                conditions.stream().map(SqlCondition::sql).collect(Collectors.joining(word, "(", ")")),
                values(conditions));
    }

    /**
     * Spells a text so that no sign of it has a meaning in a pattern of {@code like ? escape '!'}.
     *
     * @param text any
     * @return the pattern
     */
    public static String escape(String text) {
        return text.replace("!", "!!").replace("%", "!%").replace("_", "!_");
    }

    /**
     * Asks for a part of one of some columns, whose letters are small ones.
     *
     * @param text in small letters; no sign of it has a meaning
     * @param columns constant texts, at least one
     * @return the condition
     */
    public static SqlCondition contains(String text, String... columns) {
        String part = escape(text);
        return new SqlCondition(
                Stream.of(columns)
                        .map(column -> column + " like ? escape '!'")
                        .collect(Collectors.joining(" or ", "(", ")")),
                Stream.of(columns).<Object>map(column -> "%" + part + "%").toList());
    }
}
