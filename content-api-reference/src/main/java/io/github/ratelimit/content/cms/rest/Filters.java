package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.server.store.SqlCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import tools.jackson.databind.JsonNode;

/**
 * The table of what a list can be asked for: from it come the arguments of its route, and the conditions that a request sets.
 *
 * <p>Changed only while it is declared, by one thread; safe for concurrent use then.
 */
public final class Filters {
    private final List<Filter> all = new ArrayList<>();

    /**
     * Declares arguments that are no condition by themselves.
     *
     * @param arguments such as the number of the page, or what another argument is read with
     * @return this
     */
    public Filters with(Argument... arguments) {
        List.of(arguments).forEach(argument -> add(argument, (request, value) -> Optional.empty()));
        return this;
    }

    /**
     * Declares an argument.
     *
     * @param argument its name, and what it must look like
     * @param meaning tells what a request asks for by a value of it; empty where that is nothing
     * @return where the rest is said
     */
    public Filter add(Argument argument, BiFunction<RestRequest, JsonNode, Optional<SqlCondition>> meaning) {
        Filter filter = new Filter(argument, meaning);
        all.add(filter);
        return filter;
    }

    /**
     * Declares a choice by numbers, of which none at all mean nothing.
     *
     * @param name of the argument
     * @param description for people
     * @param column has one of these numbers
     * @return where the rest is said
     */
    public Filter among(String name, String description, String column) {
        return ids(name, description, ids -> SqlCondition.isOneOf(column, ids));
    }

    /**
     * Declares an exclusion by numbers, of which none at all mean nothing.
     *
     * @param name of the argument
     * @param description for people
     * @param column has none of these numbers
     * @return where the rest is said
     */
    public Filter notAmong(String name, String description, String column) {
        return ids(name, description, ids -> SqlCondition.isNoneOf(column, ids));
    }

    private Filter ids(String name, String description, Function<List<Long>, SqlCondition> meaning) {
        return add(
                Paging.ids(name, description),
                (request, value) -> Optional.of(Paging.ids(request.arguments(), name))
                        .filter(ids -> !ids.isEmpty())
                        .map(meaning));
    }

    /**
     * Declares a choice by texts, of which none at all mean nothing.
     *
     * @param argument a list
     * @param meaning what such texts ask for
     * @return where the rest is said
     */
    public Filter texts(Argument argument, Function<List<String>, SqlCondition> meaning) {
        return add(
                argument,
                (request, value) -> Optional.of(request.arguments().texts(argument.name()))
                        .filter(texts -> !texts.isEmpty())
                        .map(meaning));
    }

    /**
     * Declares a choice by one number.
     *
     * @param name of the argument
     * @param description for people
     * @param meaning what such a number asks for
     * @return where the rest is said
     */
    public Filter number(String name, String description, LongFunction<SqlCondition> meaning) {
        Argument argument = Argument.optional(name, Schema.integer(description));
        return add(argument, (request, value) -> Optional.of(meaning.apply(value.longValue())));
    }

    /**
     * Lists the arguments.
     *
     * @return in the order of the table
     */
    public Arguments arguments() {
        return Arguments.of(all.stream().map(filter -> filter.argument).toArray(Argument[]::new));
    }

    /**
     * Tells what a request asks for, all of which must be fulfilled.
     *
     * @param request with the {@link #arguments()}
     * @return in the order of the table, without the {@linkplain Filter#joined joined} ones
     */
    public List<SqlCondition> conditions(RestRequest request) {
        return conditions(request, false);
    }

    /**
     * Tells what a request asks for, and says itself whether all of it must be fulfilled.
     *
     * @param request with the {@link #arguments()}
     * @return in the order of the table, the {@linkplain Filter#joined joined} ones alone
     */
    public List<SqlCondition> joined(RestRequest request) {
        return conditions(request, true);
    }

    private List<SqlCondition> conditions(RestRequest request, boolean isJoined) {
        return all.stream()
                .filter(filter -> filter.isJoined == isJoined)
                .flatMap(filter -> filter.condition(request).stream())
                .toList();
    }

    /**
     * An argument with what it means. Changed only while the table is declared.
     */
    public static final class Filter {
        private final Argument argument;
        private final BiFunction<RestRequest, JsonNode, Optional<SqlCondition>> meaning;
        private List<String> stronger = List.of();
        private boolean isJoined;

        private Filter(Argument argument, BiFunction<RestRequest, JsonNode, Optional<SqlCondition>> meaning) {
            this.argument = argument;
            this.meaning = meaning;
        }

        /**
         * Lets the argument mean nothing beside others, even where they do not contradict it.
         *
         * @param others arguments; a flag that is not set, and a list without anything, count as not sent
         * @return this
         */
        public Filter unless(String... others) {
            stronger = List.of(others);
            return this;
        }

        /**
         * Keeps the condition apart from those that all must be fulfilled.
         *
         * @return this
         */
        public Filter joined() {
            isJoined = true;
            return this;
        }

        private Optional<SqlCondition> condition(RestRequest request) {
            Arguments.Values wanted = request.arguments();
            boolean isOverruled = stronger.stream()
                    .anyMatch(name -> wanted.flag(name) || !wanted.texts(name).isEmpty());
            return wanted.value(argument.name())
                    .filter(value -> !isOverruled)
                    .flatMap(value -> meaning.apply(request, value));
        }
    }
}
