package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.ratelimit.content.fuzz.Growth;
import io.github.ratelimit.content.fuzz.Pieces;
import java.util.List;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** Arguments in any form, queries, forms and lists that are spelled as one text, are read or refused, with work by their length. */
final class ArgumentFormsTest {
    private static final int MOST = 10_000;

    @Property(tries = 40, shrinking = ShrinkingMode.OFF)
    void everyFormIsReadInProportionToItsLength(@ForAll("pieces") List<String> pieces) {
        for (String piece : pieces) {
            Growth.assertLinear(piece, text -> refusing(() -> FormParser.parse(text)));
            Growth.assertLinear(piece, text -> refusing(() -> FormParser.parse("a" + text + "=1&" + text)));
            Growth.assertLinear(piece, text -> RoutePattern.split("/" + text));
            Growth.assertLinear(piece, text -> SchemaReader.words(text, MOST));
            Growth.assertLinear(piece, text -> EntityTags.holds(text, "\"1-a\""));
        }
    }

    /** Half a million items fit into a text that a body may hold: no bound on tokens counts them. */
    @Test
    void aListThatIsSpelledAsOneTextIsReadNoFurtherThanItMayBeLong() {
        var schema =
                JsonMapper.shared().readTree("{\"type\":\"array\",\"items\":{\"type\":\"integer\"},\"maxItems\":3}");
        // The last one is no number: it would be told of, if it were read.
        var list = JsonNodeFactory.instance.stringNode("1,2,3,4," + "5,".repeat(400_000) + "x");

        Throwable refused = catchThrowable(() -> SchemaReader.read(schema, "ids", list));

        assertThat(refused).isInstanceOf(InvalidValue.class).hasMessage("ids must contain at most 3 items.");
        assertThat(SchemaReader.read(schema, "ids", JsonNodeFactory.instance.stringNode("1, 2,3")))
                .hasToString("[1,2,3]");
    }

    @Provide
    Arbitrary<List<String>> pieces() {
        return Pieces.some();
    }

    private static void refusing(Runnable reading) {
        try {
            reading.run();
        } catch (RestError refused) {
            assertThat(refused.status()).isBetween(400, 499);
        }
    }
}
