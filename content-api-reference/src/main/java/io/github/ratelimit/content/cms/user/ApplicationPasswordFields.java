package io.github.ratelimit.content.cms.user;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.ApplicationPassword;
import io.github.ratelimit.content.cms.text.SiteDates;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The table of the members of an application password. */
final class ApplicationPasswordFields {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    static final Fields<Shown, Wish> TABLE = fields();

    private ApplicationPasswordFields() {}

    /**
     * An application password as an answer shows it.
     *
     * @param password what is known of it
     * @param secret the password itself, where it was just made
     */
    record Shown(ApplicationPassword password, Optional<String> secret) {}

    /**
     * What an application password is to be.
     *
     * @param name what its owner calls it
     * @param application the UUID of what uses it, or empty
     */
    record Wish(String name, String application) {
        static final Wish NOTHING = new Wish("", "");
    }

    private static Fields<Shown, Wish> fields() {
        Fields.Table<Shown, Wish> fields = Fields.declare();
        Fields.Members<ApplicationPassword, Wish> password = fields.of(Shown::password);
        password.text("uuid", "What it is known by.", "uuid", EVERYWHERE, ApplicationPassword::uuid);
        password.text("app_id", "The UUID of the application.", "uuid", EVERYWHERE, ApplicationPassword::appId)
                .writtenBy((wish, sent) -> new Wish(wish.name(), sent.stringValue()));
        password.text("name", "What its owner calls it.", EVERYWHERE, ApplicationPassword::name)
                .with(schema -> schema.maxLength(200))
                .writtenBy((wish, sent) -> new Wish(sent.stringValue().strip(), wish.application()));
        password.add("created", moment(), NOT_EMBEDDED, shown -> text(Optional.of(print(shown.created()))));
        Schema secret = Schema.string().describedAs("The password itself, shown once when it is made.");
        fields.of(Shown::secret)
                .add(
                        "password",
                        secret,
                        EDITING,
                        shown -> shown.map(JSON::stringNode).orElse(null));
        password.add(
                "last_used",
                moment(),
                NOT_EMBEDDED,
                shown -> text(shown.lastUsed().map(ApplicationPasswordFields::print)));
        Schema address = Schema.ofTypes("string", "null").describedAs("Where it was used last.");
        password.add("last_ip", address, NOT_EMBEDDED, shown -> text(shown.lastIp()));
        return fields.build();
    }

    private static Schema moment() {
        return Schema.ofTypes("string", "null").describedAs("In GMT.").format("date-time");
    }

    private static String print(Instant moment) {
        return SiteDates.print(moment, ZoneOffset.UTC);
    }

    private static JsonNode text(Optional<String> text) {
        return text.<JsonNode>map(JSON::stringNode).orElse(JSON.nullNode());
    }
}
