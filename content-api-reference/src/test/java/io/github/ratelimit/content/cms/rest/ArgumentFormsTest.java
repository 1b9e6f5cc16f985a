package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.ratelimit.content.fuzz.Growth;
import io.github.ratelimit.content.fuzz.Pieces;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Arguments in any form, queries, forms and lists that are spelled as one text, are read or rejected, with work by their length. */
final class ArgumentFormsTest {
    private static final int MOST = 10_000;

    private static final Map<String, Consumer<String>> READERS = Map.ofEntries(
            Map.entry("form", text -> rejecting(() -> FormParser.parse(text))),
            Map.entry("form, names in brackets", text -> rejecting(() -> FormParser.parse("a" + text + "=1&" + text))),
            Map.entry("bytes of a form", text -> rejecting(() -> FormParser.utf8(latin1(text)))),
            Map.entry("names of parts", text -> {
                ObjectNode fields = JsonNodeFactory.instance.objectNode();
                rejecting(() -> FormParser.put(fields, text, text));
                rejecting(() -> FormParser.put(fields, "a[" + text + "]", text));
                rejecting(() -> FormParser.numbered(fields));
            }),
            Map.entry("parts", text -> {
                ObjectNode fields = JsonNodeFactory.instance.objectNode();
                for (int at = 0; at < text.length(); at += 8) {
                    String name = text.substring(at, Math.min(text.length(), at + 8));
                    rejecting(() -> FormParser.put(fields, name + "[]", name));
                }
                rejecting(() -> FormParser.numbered(fields));
            }),
            Map.entry(
                    "rest_route", text -> rejecting(() -> RequestReader.route(FormParser.parse("rest_route=" + text)))),
            Map.entry("path of a route", text -> new RoutePattern("", "/things/<id>").match("/things/" + text)),
            Map.entry("list that is spelled as one text", text -> Spelling.words(text, MOST)));

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void everyFormIsReadInProportionToItsLength(@ForAll("pieces") List<String> pieces) {
        pieces.forEach(ArgumentFormsTest::assertLinear);
    }

    @Example
    void whatWasOnceDearIsNotAgain() {
        Pieces.seeds().forEach(ArgumentFormsTest::assertLinear);
    }

    private static void assertLinear(String piece) {
        READERS.forEach((name, reader) -> Growth.assertLinear(name, piece, reader));
    }

    private static byte[] latin1(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Half a million items fit into a text that a body may hold: no bound on tokens counts them. */
    @Test
    void aListThatIsSpelledAsOneTextIsReadNoFurtherThanItMayBeLong() {
        Schema schema = Schema.arrayOf(Schema.integer()).maxItems(3);
        // The last one is no number: it would be told of, if it were read.
        var list = JsonNodeFactory.instance.stringNode("1,2,3,4," + "5,".repeat(400_000) + "x");

        Throwable rejected = catchThrowable(() -> schema.read("ids", list));

        assertThat(rejected).isInstanceOf(InvalidValue.class).hasMessage("ids must contain at most 3 items.");
        assertThat(schema.read("ids", JsonNodeFactory.instance.stringNode("1, 2,3")))
                .hasToString("[1,2,3]");
    }

    @Provide
    Arbitrary<List<String>> pieces() {
        return Pieces.some();
    }

    private static void rejecting(Runnable reading) {
        try {
            reading.run();
        } catch (RestError rejected) {
            assertThat(rejected.status()).isBetween(400, 499);
        }
    }
}
