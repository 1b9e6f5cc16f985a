package io.github.ratelimit.content.cms.rest;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.cms.security.Caller;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class FieldsTest {
    private record Door(long number, String colour, String key) {}

    private static final Door RED = new Door(7, "red", "secret");

    private static final Fields<Door, Door> DOOR = door();

    private static Fields<Door, Door> door() {
        Fields.Table<Door, Door> fields = Fields.declare();
        fields.number("number", "Which.", EVERYWHERE, Door::number);
        fields.text("colour", "How it looks.", EVERYWHERE, Door::colour)
                .writtenBy((door, sent) -> new Door(door.number(), sent.stringValue(), door.key()));
        fields.text("key", "What opens it.", EDITING, Door::key)
                .writtenBy((door, sent) -> new Door(door.number(), door.colour(), sent.stringValue()));
        fields.add("code", Schema.string().describedAs("Only sent."), List.of(), door -> null)
                .writtenBy((door, sent) -> door);
        return fields.build();
    }

    @Test
    void memberIsShownInItsContextsAlone() {
        assertThat(DOOR.show(asking("_embed", "1"), RED, Context.EDIT).toString())
                .isEqualTo("{\"number\":7,\"colour\":\"red\",\"key\":\"secret\"}");
        assertThat(DOOR.show(asking("_embed", "1"), RED, Context.VIEW).toString())
                .isEqualTo("{\"number\":7,\"colour\":\"red\"}");
    }

    @Test
    void whatARequestDoesNotSelectIsNotMade() {
        Fields.Table<Door, Door> fields = Fields.declare();
        fields.number("id", "Which.", EVERYWHERE, Door::number);
        fields.text("colour", "How it looks.", EVERYWHERE, Door::colour);
        fields.text("key", "What opens it.", EVERYWHERE, door -> {
            throw new IllegalStateException("made");
        });
        Fields<Door, Door> door = fields.build();

        // What was deleted is shown with its number, whatever was selected.
        assertThat(door.show(asking("_fields", "colour"), RED, Context.VIEW).toString())
                .isEqualTo("{\"id\":7,\"colour\":\"red\"}");
        assertThat(door.show(asking("_fields", "title.rendered id"), RED, Context.VIEW)
                        .toString())
                .isEqualTo("{\"id\":7}");
        for (String all : List.of("", ",", "key", "key.x")) {
            assertThatThrownBy(() -> door.show(asking("_fields", all), RED, Context.VIEW))
                    .as(all)
                    .hasMessage("made");
        }
    }

    @Test
    void schemaSaysWhereMembersAreShownAndWhichNobodyWrites() {
        ObjectNode properties = (ObjectNode) DOOR.describe("door").get("properties");

        assertThat(properties.propertyNames()).containsExactly("number", "colour", "key");
        assertThat(properties.get("number").toString())
                .isEqualTo("{\"type\":\"integer\",\"description\":\"Which.\","
                        + "\"context\":[\"view\",\"edit\",\"embed\"],\"readonly\":true}");
        assertThat(properties.get("key").toString())
                .isEqualTo("{\"type\":\"string\",\"description\":\"What opens it.\",\"context\":[\"edit\"]}");
    }

    @Test
    void membersThatAreWrittenAreTheArguments() {
        assertThat(DOOR.arguments().all()).extracting(Argument::name).containsExactly("colour", "key", "code");
        assertThat(DOOR.arguments().requiring("key").all())
                .filteredOn(Argument::required)
                .extracting(Argument::name)
                .containsExactly("key");
    }

    @Test
    void onlyWhatIsSentIsWritten() {
        assertThat(DOOR.write(sent("colour", "blue"), RED)).isEqualTo(new Door(7, "blue", "secret"));
        assertThat(DOOR.write(sent("number", "8"), RED)).isEqualTo(RED);
    }

    @Test
    void membersOfAPartAreMembersOfTheWhole() {
        record House(String name, Door door) {}
        Fields.Table<House, Door> fields = Fields.declare();
        fields.with(DOOR, House::door);
        fields.text("colour", "Of all its doors.", EVERYWHERE, House::name);
        fields.of(House::door).text("lock", "What opens it.", EDITING, Door::key);
        Fields<House, Door> house = fields.build();

        assertThat(house.show(asking("_embed", "1"), new House("Old House", RED), Context.EDIT)
                        .toString())
                .isEqualTo("{\"number\":7,\"colour\":\"Old House\",\"key\":\"secret\",\"lock\":\"secret\"}");
        assertThat(house.write(sent("key", "open"), RED)).isEqualTo(new Door(7, "red", "open"));
    }

    private static ArgumentValues sent(String name, String value) {
        return DOOR.arguments().read(asking(name, value)).values();
    }

    private static RestRequest asking(String name, String value) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put(name, value);
        return RestRequest.ofServer(RestMethod.POST, "/doors/7", Caller.anonymous(), "", body);
    }
}
