package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The arguments of an endpoint, in the order in which they are described and checked. Immutable. */
public final class Arguments {
    /** The code of the error that names arguments which cannot be read. */
    static final String INVALID = "rest_invalid_param";

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Arguments NONE = new Arguments(Map.of());

    private final Map<String, Argument> byName;
    private final List<Argument> all;

    /**
     * What became of a request's arguments.
     *
     * @param values those that could be read, and the defaults of the others
     * @param rejection why the request cannot be served, or nothing
     */
    record Reading(Values values, @Nullable RestError rejection) {}

    private Arguments(Map<String, Argument> byName) {
        this.byName = byName;
        this.all = List.copyOf(byName.values());
    }

    /**
     * Declares that there are none.
     *
     * @return no arguments
     */
    public static Arguments none() {
        return NONE;
    }

    /**
     * Declares arguments.
     *
     * @param arguments with different names
     * @return all of them
     */
    public static Arguments of(Argument... arguments) {
        return NONE.and(arguments);
    }

    /**
     * Adds arguments behind these; one with a known name takes the place of the known one.
     *
     * @param further what to add
     * @return the longer list
     */
    public Arguments and(Argument... further) {
        Map<String, Argument> joined = new LinkedHashMap<>(byName);
        for (Argument argument : further) {
            joined.put(argument.name(), argument);
        }
        return new Arguments(joined);
    }

    /**
     * Adds the arguments of another list behind these.
     *
     * @param further what to add
     * @return the longer list
     */
    public Arguments and(Arguments further) {
        return and(further.all.toArray(Argument[]::new));
    }

    /**
     * Finds one of the arguments.
     *
     * @param name of the argument
     * @return as it was declared
     * @throws IllegalArgumentException if there is none of that name
     */
    public Argument named(String name) {
        Argument found = byName.get(name);
        if (found == null) {
            throw new IllegalArgumentException("no argument is called " + name);
        }
        return found;
    }

    /**
     * Lists the arguments.
     *
     * @return in order; cannot be changed
     */
    public List<Argument> all() {
        return all;
    }

    /** Describes the arguments; none at all are an empty list, as clients expect. */
    JsonNode describe() {
        if (all.isEmpty()) {
            return JSON.arrayNode();
        }
        ObjectNode described = JSON.objectNode();
        all.forEach(argument -> described.set(argument.name(), argument.describe()));
        return described;
    }

    /**
     * Leaves all but some of the arguments out.
     *
     * @param names of arguments
     * @return those, in the order of their names here
     */
    public Arguments only(String... names) {
        return of(Arrays.stream(names).map(this::named).toArray(Argument[]::new));
    }

    /**
     * Makes some of the arguments such that a request without them is rejected.
     *
     * @param names of arguments
     * @return the changed list
     */
    public Arguments requiring(String... names) {
        return and(Arrays.stream(names).map(name -> named(name).asRequired()).toArray(Argument[]::new));
    }

    /**
     * Reads the arguments of a request.
     *
     * <p>What cannot be read counts as not sent, so that it can still be told which methods the caller might use.
     */
    Reading read(RestRequest request) {
        // Few of many are sent, and an answer with links reads hundreds of requests.
        Map<String, JsonNode> values = new HashMap<>();
        List<String> missing = new ArrayList<>();
        Map<String, InvalidValue> invalid = new LinkedHashMap<>();
        for (Argument argument : all) {
            try {
                JsonNode value = argument.read(request);
                if (value != null) {
                    values.put(argument.name(), value);
                } else if (argument.required()) {
                    missing.add(argument.name());
                }
            } catch (InvalidValue reason) {
                invalid.put(argument.name(), reason);
            }
        }
        if (invalid.keySet().stream().anyMatch(name -> named(name).first())) {
            invalid.keySet().removeIf(name -> !named(name).first());
        }
        return new Reading(values(request, argument -> values.get(argument.name())), rejection(missing, invalid));
    }

    /**
     * Reads the arguments of a request one by one, each when it is asked for: who asks for few of them pays for few.
     *
     * @param request with or without them
     * @return what can be read; the rest counts as not sent
     */
    public Values readWhenAsked(RestRequest request) {
        return values(request, argument -> {
            try {
                return argument.read(request);
            } catch (InvalidValue unreadable) {
                return null;
            }
        });
    }

    private Values values(RestRequest request, Function<Argument, @Nullable JsonNode> read) {
        return new Values(name -> {
            Argument argument = byName.get(name);
            if (argument == null) {
                return ofPath(request, name);
            }
            JsonNode value = read.apply(argument);
            return value == null ? argument.usual() : value;
        });
    }

    /** Some routes name a segment that they do not declare as an argument: nobody checks what is sent in its place. */
    private static @Nullable JsonNode ofPath(RestRequest request, String name) {
        String segment = request.path().get(name);
        if (segment == null) {
            return null;
        }
        JsonNode sent = request.sent(name);
        JsonNode value = sent == null || sent.isNull() ? JSON.stringNode(segment) : sent;
        return Spelling.integer(value).<JsonNode>map(JSON::numberNode).orElse(value);
    }

    private static @Nullable RestError rejection(List<String> missing, Map<String, InvalidValue> invalid) {
        if (!missing.isEmpty()) {
            ArrayNode names = JSON.arrayNode();
            missing.forEach(names::add);
            return RestError.of(
                            400, "rest_missing_callback_param", "Missing parameter(s): " + String.join(", ", missing))
                    .with("params", names);
        }
        if (invalid.isEmpty()) {
            return null;
        }
        ObjectNode params = JSON.objectNode();
        ObjectNode details = JSON.objectNode();
        invalid.forEach((name, reason) -> {
            params.put(name, reason.text());
            if (reason.isDetailed()) {
                details.set(name, reason.describe());
            }
        });
        return RestError.of(400, INVALID, "Invalid parameter(s): " + String.join(", ", invalid.keySet()))
                .with("params", params)
                .with("details", details.isEmpty() ? JSON.arrayNode() : details);
    }

    /**
     * The arguments of a request in their types: checked, converted, and with the defaults of what was not sent.
     *
     * <p>Each accessor expects the argument to be declared with the type that it names. Immutable.
     */
    public static final class Values {
        private final Function<String, @Nullable JsonNode> values;

        /**
         * Takes the values.
         *
         * @param values finds one by its name; nothing where it was not sent and has no default
         */
        Values(Function<String, @Nullable JsonNode> values) {
            this.values = values;
        }

        /** The same values in another context, whichever was asked for. */
        Values in(Context context) {
            JsonNode name = JsonNodeFactory.instance.stringNode(context.wireName());
            return new Values(argument -> argument.equals(Context.ARGUMENT.name()) ? name : values.apply(argument));
        }

        /**
         * Says whether an argument has a value, sent or by default.
         *
         * @param name of the argument
         * @return false for {@code null} too
         */
        public boolean has(String name) {
            return value(name).isPresent();
        }

        /**
         * Finds a value as it is.
         *
         * @param name of the argument
         * @return empty where it was not sent and has no default
         */
        public Optional<JsonNode> value(String name) {
            return Optional.ofNullable(get(name)).filter(value -> !value.isNull());
        }

        /**
         * Finds a text.
         *
         * @param name of the argument
         * @return empty where it was not sent and has no default
         */
        public Optional<String> text(String name) {
            return value(name).filter(JsonNode::isString).map(JsonNode::stringValue);
        }

        /**
         * Finds a whole number.
         *
         * @param name of the argument
         * @return empty where it was not sent and has no default
         */
        public OptionalLong integer(String name) {
            Optional<JsonNode> value = value(name).filter(JsonNode::isIntegralNumber);
            return value.isPresent() ? OptionalLong.of(value.get().longValue()) : OptionalLong.empty();
        }

        /**
         * Finds a whole number that has a default, or comes with the route.
         *
         * @param name of the argument
         * @return 0 where there is none after all
         */
        public long number(String name) {
            return integer(name).orElse(0);
        }

        /**
         * Tells a flag.
         *
         * @param name of the argument
         * @return false where it was not sent and has no default
         */
        public boolean flag(String name) {
            return value(name).map(value -> value.asBoolean(false)).orElse(false);
        }

        /**
         * Lists whole numbers.
         *
         * @param name of the argument
         * @return empty where it was not sent
         */
        public List<Long> integers(String name) {
            return value(name).stream()
                    .flatMap(JsonNode::valueStream)
                    .map(JsonNode::longValue)
                    .toList();
        }

        /**
         * Lists texts; a single text, such as a default has, is a list of one.
         *
         * @param name of the argument
         * @return empty where it was not sent
         */
        public List<String> texts(String name) {
            return value(name).stream()
                    .flatMap(value -> value.isString() ? Stream.of(value) : value.valueStream())
                    .map(text -> text.asString(""))
                    .toList();
        }

        @Nullable
        JsonNode get(String name) {
            return values.apply(name);
        }
    }
}
