package io.github.ratelimit.content.cms.rest;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One member of a kind of thing, with all there is to say about it. Declared in a table of {@link Fields}, and changed only
 * while that is done.
 *
 * @param <T> what is shown
 * @param <W> what is written to
 */
public final class Field<T, W> {
    private final String name;
    private final Function<T, @Nullable JsonNode> view;
    private final List<Context> contexts;
    private Schema schema;
    private UnaryOperator<Argument> argument = UnaryOperator.identity();
    private @Nullable BiFunction<W, JsonNode, W> writer;
    private boolean isMarked;
    private boolean isWhole;

    Field(String name, Schema schema, List<Context> contexts, boolean isMarked, Function<T, @Nullable JsonNode> view) {
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
        return readBy(declared -> declared.readBy((request, value) -> {
            JsonNode read = declared.schema()
                    .maxLength(Math.min(characters, SchemaReader.MOST_CHARACTERS))
                    .read(name, value);
            if (read.asString("").length() > characters) {
                throw InvalidValue.of("rest_too_long", name + " must be at most " + characters + " characters long.");
            }
            return read;
        }));
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
