package io.github.ratelimit.content.cms.rest;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The table of the members of a kind of thing: from it come the schema, the arguments, what is shown and what is written.
 *
 * <p>Immutable once it is {@linkplain Table#build built}; safe for concurrent use then.
 *
 * @param <T> what is shown
 * @param <W> what is written to
 */
public final class Fields<T, W> {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final List<Field<T, W>> all;

    private Fields(List<Field<T, W>> all) {
        this.all = all;
    }

    /**
     * Begins a table.
     *
     * @return without any member
     * @param <T> what is shown
     * @param <W> what is written to
     */
    public static <T, W> Table<T, W> declare() {
        return new Table<>(true);
    }

    /**
     * Begins a table of things that are never written, which need not say so of each member.
     *
     * @return without any member
     * @param <T> what is shown
     */
    public static <T> Table<T, Void> declareShown() {
        return new Table<>(false);
    }

    /**
     * Where members are declared, of a thing or of a part of it. Belongs to one thread.
     *
     * @param <T> what is shown
     * @param <W> what is written to
     */
    public abstract static class Members<T, W> {
        private Members() {}

        /**
         * Declares a member. It takes the place of one of the same name that was {@linkplain Table#with taken over}.
         *
         * @param name of the member
         * @param schema what it looks like
         * @param contexts those in which it is shown, such as {@link Context#EVERYWHERE}
         * @param view shows it; nothing where a thing has no such member
         * @return where the rest is said; nobody writes the member, unless that is said
         * @throws IllegalStateException if one of this name was declared before
         */
        public abstract Field<?, W> add(
                String name, Schema schema, List<Context> contexts, Function<T, @Nullable JsonNode> view);

        /**
         * Declares members of the thing that a part of it tells.
         *
         * @param part the part of a thing
         * @return where they are declared, among those of the thing
         * @param <P> the part
         */
        public <P> Members<P, W> of(Function<T, P> part) {
            Members<T, W> whole = this;
            return new Members<>() {
                @Override
                public Field<?, W> add(
                        String name, Schema schema, List<Context> contexts, Function<P, @Nullable JsonNode> view) {
                    return whole.add(name, schema, contexts, thing -> view.apply(part.apply(thing)));
                }
            };
        }

        /**
         * Declares a text.
         *
         * @param name of the member
         * @param description for people
         * @param contexts those in which it is shown, such as {@link Context#EVERYWHERE}
         * @param view tells the text
         * @return where the rest is said
         */
        public Field<?, W> text(String name, String description, List<Context> contexts, Function<T, String> view) {
            Schema schema = Schema.string(description);
            return add(name, schema, contexts, thing -> JSON.stringNode(view.apply(thing)));
        }

        /**
         * Declares a text of a format.
         *
         * @param name of the member
         * @param description for people
         * @param format such as {@code uri}
         * @param contexts those in which it is shown, such as {@link Context#EVERYWHERE}
         * @param view tells the text
         * @return where the rest is said
         */
        public Field<?, W> text(
                String name, String description, String format, List<Context> contexts, Function<T, String> view) {
            return text(name, description, contexts, view).with(schema -> schema.format(format));
        }

        /**
         * Declares a whole number.
         *
         * @param name of the member
         * @param description for people
         * @param contexts those in which it is shown, such as {@link Context#EVERYWHERE}
         * @param view tells the number
         * @return where the rest is said
         */
        public Field<?, W> number(String name, String description, List<Context> contexts, ToLongFunction<T> view) {
            Schema schema = Schema.integer(description);
            return add(name, schema, contexts, thing -> JSON.numberNode(view.applyAsLong(thing)));
        }

        /**
         * Declares a flag.
         *
         * @param name of the member
         * @param description for people
         * @param contexts those in which it is shown, such as {@link Context#EVERYWHERE}
         * @param view tells the flag
         * @return where the rest is said
         */
        public Field<?, W> flag(String name, String description, List<Context> contexts, Predicate<T> view) {
            Schema schema = Schema.bool(description);
            return add(name, schema, contexts, thing -> JSON.booleanNode(view.test(thing)));
        }
    }

    /**
     * A table that is not whole yet.
     *
     * @param <T> what is shown
     * @param <W> what is written to
     */
    public static final class Table<T, W> extends Members<T, W> {
        private final Map<String, Field<T, W>> declared = new LinkedHashMap<>();
        private final Set<String> own = new HashSet<>();
        private final boolean isWritten;

        private Table(boolean isWritten) {
            this.isWritten = isWritten;
        }

        /**
         * Takes over the members of a part of the thing.
         *
         * @param fields of the part
         * @param part the part of a thing
         * @return this
         * @param <P> the part
         */
        public <P> Table<T, W> with(Fields<P, W> fields, Function<T, P> part) {
            fields.all.forEach(field -> declared.put(field.name(), field.of(part)));
            return this;
        }

        @Override
        public Field<?, W> add(
                String name, Schema schema, List<Context> contexts, Function<T, @Nullable JsonNode> view) {
            if (!own.add(name)) {
                throw new IllegalStateException(
                        "member '" + name + "' is declared twice: each needs a name of its own");
            }
            Field<T, W> field = new Field<>(name, schema, contexts, isWritten, view);
            declared.put(name, field);
            return field;
        }

        /**
         * Ends the table.
         *
         * @return its members, in the order of their declaration
         */
        public Fields<T, W> build() {
            return new Fields<>(List.copyOf(declared.values()));
        }
    }

    /**
     * Describes things of this kind, as OPTIONS does for those of a route. What is never shown is left out.
     *
     * @param title what one of them is called
     * @return a tree of its own
     */
    public ObjectNode describe(String title) {
        ObjectNode schema = JSON.objectNode().put("$schema", "http://json-schema.org/draft-04/schema#");
        schema.put("title", title);
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        all.stream()
                .filter(Field::isShown)
                .forEach(field -> properties.set(field.name(), field.described().describe()));
        return schema;
    }

    /**
     * Lists the arguments that writing such a thing accepts: the members that can be written, none of them required.
     *
     * @return in the order of the table
     */
    public Arguments arguments() {
        return arguments(UnaryOperator.identity());
    }

    /**
     * Lists the arguments that writing such a thing accepts, each of them read in another way.
     *
     * @param how changes each argument
     * @return in the order of the table
     */
    public Arguments arguments(UnaryOperator<Argument> how) {
        return Arguments.of(all.stream()
                .filter(Field::isWritten)
                .map(field -> how.apply(field.argument()))
                .toArray(Argument[]::new));
    }

    /**
     * Names the members that clients select as a whole, and not in parts.
     *
     * @return their names
     */
    public Set<String> whole() {
        return all.stream().filter(Field::isWhole).map(Field::name).collect(Collectors.toSet());
    }

    /**
     * Shows a thing.
     *
     * @param request who asks: members that it does not select are not even made
     * @param thing what to show
     * @param context how much of it
     * @return a tree of its own
     */
    public ObjectNode show(RestRequest request, T thing, Context context) {
        ObjectNode shown = JSON.objectNode();
        Predicate<String> selected = Shaping.shown(request);
        for (Field<T, W> field : all) {
            boolean isShown = field.isShownIn(context) && selected.test(field.name());
            JsonNode value = isShown ? field.show(thing) : null;
            if (value != null) {
                shown.set(field.name(), value);
            }
        }
        return shown;
    }

    /**
     * Writes the members that were sent.
     *
     * @param sent with the {@link #arguments()}
     * @param start what they are written to, in the order of the table
     * @return what came of it
     */
    public W write(Arguments.Values sent, W start) {
        W written = start;
        for (Field<T, W> field : all) {
            JsonNode value = field.isWritten() ? sent.get(field.name()) : null;
            if (value != null) {
                written = field.write(written, value);
            }
        }
        return written;
    }

    /**
     * One member of a kind of thing, with all there is to say about it. Declared in a table of {@link Fields}, and changed only
     * while that is done.
     *
     * @param <T> what is shown
     * @param <W> what is written to
     */
    public static final class Field<T, W> {
        private final String name;
        private final Function<T, @Nullable JsonNode> view;
        private final List<Context> contexts;
        private Schema schema;
        private UnaryOperator<Argument> argument = UnaryOperator.identity();
        private @Nullable BiFunction<W, JsonNode, W> writer;
        private boolean isMarked;
        private boolean isWhole;

        Field(
                String name,
                Schema schema,
                List<Context> contexts,
                boolean isMarked,
                Function<T, @Nullable JsonNode> view) {
            this.name = name;
            this.schema = schema;
            this.contexts = contexts;
            this.isMarked = isMarked;
            this.view = view;
        }

        /**
         * Says more about what the member looks like.
         *
         * @param further changes the schema
         * @return this
         */
        public Field<T, W> with(UnaryOperator<Schema> further) {
            schema = further.apply(schema);
            return this;
        }

        /**
         * Leaves out of the schema that nobody writes the member.
         *
         * @return this
         */
        public Field<T, W> unmarked() {
            isMarked = false;
            return this;
        }

        /**
         * Lets requests write the member: it is an argument then.
         *
         * @param how makes the target that has what was sent, as it was read
         * @return this
         */
        public Field<T, W> writtenBy(BiFunction<W, JsonNode, W> how) {
            writer = how;
            return unmarked();
        }

        /**
         * Reads the argument in another way than by its schema.
         *
         * @param how changes the argument
         * @return this
         */
        public Field<T, W> readBy(UnaryOperator<Argument> how) {
            UnaryOperator<Argument> before = argument;
            argument = declared -> how.apply(before.apply(declared));
            return this;
        }

        /**
         * Lets clients select the member as a whole, and not in parts.
         *
         * @return this
         */
        public Field<T, W> whole() {
            isWhole = true;
            return this;
        }

        /**
         * Rejects a longer text, without a bound in the schema.
         *
         * @param characters one beyond the first 65,536 counts as two
         * @return this
         */
        public Field<T, W> readAtMost(int characters) {
            return readBy(declared -> {
                Schema bounded = declared.schema().maxLength(Math.min(characters, Rule.MOST_CHARACTERS));
                return declared.readBy((request, value) -> {
                    JsonNode read = bounded.read(name, value);
                    if (read.asString("").length() > characters) {
                        throw InvalidValue.of(
                                "rest_too_long", name + " must be at most " + characters + " characters long.");
                    }
                    return read;
                });
            });
        }

        /** Makes the same member of things that hold such a thing. */
        <U> Field<U, W> of(Function<U, T> part) {
            Field<U, W> same = new Field<>(name, schema, contexts, isMarked, whole -> view.apply(part.apply(whole)));
            same.argument = argument;
            same.writer = writer;
            same.isWhole = isWhole;
            return same;
        }

        String name() {
            return name;
        }

        boolean isWhole() {
            return isWhole;
        }

        boolean isShown() {
            return !contexts.isEmpty();
        }

        boolean isShownIn(Context context) {
            return contexts.contains(context);
        }

        boolean isWritten() {
            return writer != null;
        }

        /** Shows the member of a thing; nothing where this one has none. */
        @Nullable
        JsonNode show(T thing) {
            return view.apply(thing);
        }

        Schema described() {
            Schema shown = schema.context(contexts);
            return isMarked ? shown.readOnly() : shown;
        }

        Argument argument() {
            return argument.apply(Argument.optional(name, schema));
        }

        W write(W target, JsonNode value) {
            return writer == null ? target : writer.apply(target, value);
        }
    }
}
