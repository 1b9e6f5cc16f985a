package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** No argument of any route takes a text of any length, however it is wrapped: all but the texts of items have a bound. */
@OnDatabase(Database.H2)
final class ArgumentBoundsTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String LONG = "1".repeat(60_000);

    /** What people write, of which a body holds a mebibyte. */
    private static final Set<String> TEXTS = Set.of("title", "content", "excerpt", "caption", "description");

    /** What tools keep with something: with items footnotes, which are a text, too; with terms nothing. */
    private static final String META = "meta";

    private final Dispatcher dispatcher;

    ArgumentBoundsTest(SeededServer server) {
        dispatcher = server.context().getBean(Dispatcher.class);
    }

    @Test
    void everyArgumentHasABound() {
        Set<String> unbounded = new TreeSet<>();
        int asked = 0;
        for (Route route : dispatcher.routes()) {
            for (RestMethod method : RestMethod.values()) {
                List<Argument> arguments = route.endpoint(method)
                        .map(endpoint -> endpoint.arguments().all())
                        .orElse(List.of());
                for (Argument argument : arguments) {
                    asked++;
                    boolean isItem = route.pattern().matches("/cms/v2/(?:posts|pages|media)\\b.*");
                    boolean isText = (isItem && TEXTS.contains(argument.name()))
                            || argument.name().equals(META);
                    if (!isText && longest(argument, method, route.pattern()) > Rule.MOST_CHARACTERS) {
                        unbounded.add(method + " " + route.pattern() + " " + argument.name());
                    }
                }
            }
        }

        assertThat(unbounded).isEmpty();
        assertThat(asked).as("arguments that were asked").isGreaterThan(300);
    }

    /** Tells how much of a long text an argument lets through, in any of the forms that a client may give it. */
    private static int longest(Argument argument, RestMethod method, String route) {
        return Stream.of(
                        JSON.stringNode(LONG),
                        JSON.stringNode("a,".repeat(LONG.length() / 2)),
                        JSON.arrayNode().add(LONG),
                        JSON.objectNode().put("raw", LONG),
                        JSON.objectNode().put("rendered", LONG),
                        JSON.objectNode().put(argument.name(), LONG))
                .mapToInt(value -> longest(argument, request(method, route, argument.name(), value)))
                .max()
                .orElseThrow();
    }

    private static int longest(Argument argument, RestRequest request) {
        try {
            JsonNode read = argument.read(request);
            return read == null ? 0 : longest(read);
        } catch (InvalidValue rejected) {
            return 0;
        }
    }

    private static int longest(JsonNode value) {
        return value.isString()
                ? value.stringValue().length()
                : value.values().stream()
                        .mapToInt(ArgumentBoundsTest::longest)
                        .max()
                        .orElse(0);
    }

    private static RestRequest request(RestMethod method, String route, String name, JsonNode value) {
        ObjectNode body = JSON.objectNode();
        body.set(name, value);
        return RestRequest.ofServer(method, route, Caller.anonymous(), "http://site.example", body);
    }
}
