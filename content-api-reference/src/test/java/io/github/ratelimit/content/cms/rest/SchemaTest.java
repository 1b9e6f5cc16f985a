package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

final class SchemaTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static JsonNode text(String value) {
        return JsonNodeFactory.instance.stringNode(value);
    }

    private static String rejection(Schema schema, JsonNode value) {
        try {
            return "read as " + schema.read("it", value);
        } catch (InvalidValue invalid) {
            return invalid.code();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "5,5",
        "-7,-7",
        "5.0,5",
        "1e3,1000",
        "' 5 ',5",
        "99999999999999999999,9223372036854775807",
        "1e60,9223372036854775807"
    })
    void wholeNumbersAreReadAsTheySpell(String spelling, long number) {
        assertThat(Schema.integer().read("it", text(spelling)).longValue()).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1abc",
                "five",
                "1.5",
                "0x10",
                "1e999999999",
                "1e99999999999",
                "--1",
                "NaN",
                "1_000",
                "\u0661"
            })
    void whatSpellsNoWholeNumberIsRejected(String spelling) {
        assertThat(rejection(Schema.integer(), text(spelling))).isEqualTo("rest_invalid_type");
    }

    @ParameterizedTest
    @CsvSource({"true,true", "1,true", "TRUE,true", "false,false", "0,false"})
    void flagsAreReadAsTheySpell(String spelling, boolean flag) {
        assertThat(Schema.bool().read("it", text(spelling)).booleanValue()).isEqualTo(flag);
    }

    @Test
    void emptyTextIsNoFlag() {
        assertThat(rejection(Schema.bool(), text(""))).isEqualTo("rest_invalid_type");
    }

    @Test
    void listsAreReadFromTextWithCommas() {
        Schema ids = Schema.arrayOf(Schema.integer());

        assertThat(ids.read("it", text("3, 1 2,"))).hasToString("[3,1,2]");
        assertThat(ids.read("it", JSON.readTree("7"))).hasToString("[7]");
        assertThat(ids.read("it", JSON.readTree("true"))).hasToString("[1]");
        assertThat(ids.read("it", JSON.readTree("false"))).hasToString("[]");
        assertThat(ids.read("it", text(""))).hasToString("[]");
        assertThatThrownBy(() -> ids.read("it", text("1,b"))).hasMessage("it[1] is not of type integer.");
        assertThat(rejection(ids, JSON.readTree("{\"a\": 1}"))).isEqualTo("rest_invalid_type");
    }

    @Test
    void listsKeepTheirBounds() {
        Schema few = Schema.arrayOf(Schema.string()).minItems(1).maxItems(2).uniqueItems();

        assertThat(rejection(few, text(""))).isEqualTo("rest_too_few_items");
        assertThat(rejection(few, text("a,b,c"))).isEqualTo("rest_too_many_items");
        assertThat(rejection(few, text("a,a"))).isEqualTo("rest_duplicate_items");
    }

    @Test
    void numbersKeepTheirBounds() {
        Schema degrees = Schema.integer().within(0, 360);

        assertThat(rejection(degrees, text("0"))).isEqualTo("rest_out_of_bounds");
        assertThat(rejection(degrees, text("360"))).isEqualTo("rest_out_of_bounds");
        assertThat(rejection(degrees, text("359"))).isEqualTo("read as 359");
    }

    @Test
    void objectsNameWhatIsMissingAndWhatIsTooMuch() {
        Schema point = Schema.object()
                .property("x", Schema.integer().required())
                .property("y", Schema.integer())
                .closed();

        assertThat(rejection(point, JSON.readTree("{\"x\": \"1\"}"))).isEqualTo("read as {\"x\":1}");
        assertThat(rejection(point, JSON.readTree("{\"y\": 1}"))).isEqualTo("rest_property_required");
        assertThat(rejection(point, JSON.readTree("{\"x\": 1, \"z\": 1}")))
                .isEqualTo("rest_additional_properties_forbidden");
        assertThat(rejection(point, text("x"))).isEqualTo("rest_invalid_type");
    }

    @Test
    void alternativesBlameTheOneThatWasMeant() {
        Schema filter = Schema.ofTypes("object", "array")
                .oneOf(
                        Schema.arrayOf(Schema.integer()).titled("List"),
                        Schema.object()
                                .titled("Query")
                                .property("operator", Schema.string().among("AND", "OR"))
                                .closed());

        assertThat(filter.read("it", text("1,2"))).hasToString("[1,2]");
        assertThatThrownBy(() -> filter.read("it", text("news")))
                .hasMessageStartingWith("it is not a valid List. Reason: it[0]");
        assertThatThrownBy(() -> filter.read("it", JSON.readTree("{\"operator\": \"XOR\"}")))
                .hasMessageStartingWith("it is not a valid Query. Reason: it[operator]");
    }

    @Test
    void whatIsDescribedIsWhatIsEnforced() {
        Schema schema = Schema.integer().between(1, 100).defaultsTo(10);

        assertThat(schema.describe())
                .hasToString("{\"type\":\"integer\",\"minimum\":1,\"maximum\":100,\"default\":10}");
        assertThat(rejection(schema, text("101"))).isEqualTo("rest_out_of_bounds");
    }
}
