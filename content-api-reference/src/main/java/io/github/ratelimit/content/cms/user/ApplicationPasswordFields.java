package io.github.ratelimit.content.cms.user;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.InvalidValue;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.ApplicationPassword;
import io.github.ratelimit.content.cms.text.Beginning;
import io.github.ratelimit.content.cms.text.SingleLine;
import io.github.ratelimit.content.cms.text.SiteDates;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The table of the members of an application password. */
final class ApplicationPasswordFields {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** As many as the column holds: a wide letter is two. */
    private static final int LONGEST_LINE = 400;

    static final Fields<Shown, Draft> TABLE = fields();

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
    record Draft(String name, String application) {
        static final Draft NOTHING = new Draft("", "");
    }

    private static Fields<Shown, Draft> fields() {
        Fields.Table<Shown, Draft> fields = Fields.declare();
        Fields.Members<ApplicationPassword, Draft> password = fields.of(Shown::password);
        password.text("uuid", "What it is known by.", "uuid", EVERYWHERE, ApplicationPassword::uuid);
        password.text("app_id", "The UUID of the application.", "uuid", EVERYWHERE, ApplicationPassword::appId)
                .readBy(ApplicationPasswordFields::orNothing)
                .writtenBy((draft, sent) -> new Draft(draft.name(), sent.stringValue()));
        password.text("name", "What its owner calls it.", EVERYWHERE, ApplicationPassword::name)
                .with(schema -> schema.maxLength(200))
                .readBy(ApplicationPasswordFields::named)
                .writtenBy((draft, sent) -> new Draft(line(sent.stringValue()), draft.application()));
        password.add("created", moment(), NOT_EMBEDDED, shown -> moment(shown.createdAt()));
        Schema secret = Schema.string().describedAs("The password itself, shown once when it is made.");
        fields.of(Shown::secret)
                .add(
                        "password",
                        secret,
                        EDITING,
                        shown -> shown.map(JSON::stringNode).orElse(null));
        password.add("last_used", moment(), NOT_EMBEDDED, shown -> moment(shown.lastUsedAt()));
        Schema address = Schema.ofTypes("string", "null").describedAs("Where it was used last.");
        password.add("last_ip", address, NOT_EMBEDDED, shown -> text(shown.lastAddress()));
        return fields.build();
    }

    /** An application that is not said is an empty text. */
    private static Argument orNothing(Argument argument) {
        Argument.Reader reader = argument.reader();
        return argument.readBy((request, value) ->
                value.isString() && value.stringValue().isEmpty() ? value : reader.read(request, value));
    }

    private static Argument named(Argument argument) {
        Argument.Reader reader = argument.reader();
        return argument.readBy((request, value) -> {
            JsonNode name = reader.read(request, value);
            if (name.stringValue().isEmpty()) {
                throw InvalidValue.of("rest_too_short", "name must be at least 1 character long.");
            }
            if (name.stringValue().isBlank()) {
                throw InvalidValue.of("rest_invalid_pattern", "name does not match pattern .*\\S.*.");
            }
            return name;
        });
    }

    private static String line(String name) {
        String line = Beginning.of(SingleLine.of(name), LONGEST_LINE);
        if (line.isEmpty()) {
            throw RestError.of(
                    400,
                    "application_password_empty_name",
                    "An application name is required to create an application password.");
        }
        return line;
    }

    private static Schema moment() {
        return Schema.ofTypes("string", "null").describedAs("In GMT.").format("date-time");
    }

    private static JsonNode moment(@Nullable OffsetDateTime moment) {
        return text(moment == null ? null : SiteDates.print(moment.toInstant(), ZoneOffset.UTC));
    }

    private static JsonNode text(@Nullable String text) {
        return text == null ? JSON.nullNode() : JSON.stringNode(text);
    }
}
