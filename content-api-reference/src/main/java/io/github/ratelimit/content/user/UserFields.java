package io.github.ratelimit.content.user;

import io.github.ratelimit.content.security.Role;
import io.github.ratelimit.content.web.Argument;
import io.github.ratelimit.content.web.Arguments;
import io.github.ratelimit.content.web.Schema;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The arguments of the routes for accounts, and the members of what they answer. */
final class UserFields {
    static final Argument CONTEXT = Argument.optional(
            "context",
            Schema.string()
                    .describedAs("What the answer is for; decides which fields it has.")
                    .among("view", "embed", "edit")
                    .defaultsTo("view"));
    static final Argument ID = Argument.optional("id", Schema.integer().describedAs("The number of the account."));

    private static final String[] EVERYWHERE = {"view", "edit", "embed"};
    private static final String[] EDIT = {"edit"};
    private static final String[] ROLES =
            Arrays.stream(Role.values()).map(Role::wireName).toArray(String[]::new);

    private UserFields() {}

    static Arguments listing() {
        return Arguments.of(
                CONTEXT,
                Argument.optional(
                        "page",
                        Schema.integer()
                                .describedAs("Which page.")
                                .defaultsTo(1)
                                .minimum(1)),
                Argument.optional(
                        "per_page",
                        Schema.integer()
                                .describedAs("How many accounts a page has.")
                                .defaultsTo(10)
                                .minimum(1)
                                .maximum(100)),
                Argument.optional("search", Schema.string().describedAs("Part of a name.")),
                ids("exclude", "Other accounts than these."),
                ids("include", "These accounts."),
                Argument.optional(
                        "offset", Schema.integer().describedAs("How many accounts to leave out at the start.")),
                Argument.optional(
                        "order",
                        Schema.string()
                                .describedAs("Which way to sort.")
                                .defaultsTo("asc")
                                .among("asc", "desc")),
                Argument.optional(
                        "orderby",
                        Schema.string()
                                .describedAs("What to sort by.")
                                .defaultsTo("name")
                                .among(
                                        "id",
                                        "include",
                                        "name",
                                        "registered_date",
                                        "slug",
                                        "include_slugs",
                                        "email",
                                        "url")),
                Argument.optional("slug", Schema.arrayOf(Schema.string()).describedAs("With one of these slugs.")),
                Argument.optional("roles", Schema.arrayOf(Schema.string()).describedAs("With one of these roles.")),
                Argument.optional(
                        "who",
                        Schema.string().describedAs("Those who may write.").among("authors")),
                Argument.optional(
                        "has_published_posts",
                        Schema.bool().describedAs("Whether to show only authors of published items.")));
    }

    private static Argument ids(String name, String description) {
        return Argument.optional(
                name, Schema.arrayOf(Schema.integer()).describedAs(description).defaultsToNone());
    }

    static Arguments creating() {
        return Arguments.of(
                        Argument.required("username", USERNAME),
                        Argument.optional("name", NAME),
                        Argument.optional("first_name", FIRST_NAME),
                        Argument.optional("last_name", LAST_NAME),
                        Argument.required("email", EMAIL))
                .and(others())
                .and(Argument.required("password", PASSWORD));
    }

    static Arguments changing() {
        return Arguments.of(
                        Argument.optional("username", USERNAME),
                        Argument.optional("name", NAME),
                        Argument.optional("first_name", FIRST_NAME),
                        Argument.optional("last_name", LAST_NAME),
                        Argument.optional("email", EMAIL))
                .and(others())
                .and(Argument.optional("password", PASSWORD));
    }

    private static Arguments others() {
        return Arguments.of(
                Argument.optional("url", URL),
                Argument.optional("description", DESCRIPTION),
                Argument.optional("locale", LOCALE),
                Argument.optional("nickname", NICKNAME),
                Argument.optional("slug", SLUG),
                Argument.optional("roles", ROLES_SCHEMA));
    }

    static Arguments deleting() {
        return Arguments.of(
                Argument.optional(
                        "force",
                        Schema.bool()
                                .describedAs("Must be true: accounts have no trash.")
                                .defaultsTo(false)),
                Argument.required(
                        "reassign",
                        Schema.ofTypes("integer", "boolean", "string")
                                .describedAs("Who gets what the account wrote; false to delete it too.")));
    }

    private static final Schema USERNAME =
            Schema.string().describedAs("The name to sign in with.").maxLength(60);
    private static final Schema NAME =
            Schema.string().describedAs("The name that readers see.").maxLength(250);
    private static final Schema FIRST_NAME =
            Schema.string().describedAs("First name.").maxLength(250);
    private static final Schema LAST_NAME =
            Schema.string().describedAs("Last name.").maxLength(250);
    private static final Schema EMAIL =
            Schema.string().describedAs("Mail address.").maxLength(254);
    private static final Schema URL =
            Schema.string().describedAs("Address of a site of theirs.").maxLength(1000);
    private static final Schema DESCRIPTION =
            Schema.string().describedAs("What they say about themselves.").maxLength(10_000);
    private static final Schema LOCALE =
            Schema.string().describedAs("The language they would like to see.").maxLength(20);
    private static final Schema NICKNAME =
            Schema.string().describedAs("A short name.").maxLength(250);
    private static final Schema SLUG =
            Schema.string().describedAs("The name in addresses.").maxLength(200);
    private static final Schema ROLES_SCHEMA = Schema.arrayOf(Schema.string().among(ROLES))
            .describedAs("What the account is allowed to be; one role.")
            .maxItems(1);
    private static final Schema PASSWORD = Schema.string()
            .describedAs("Password to sign in with; never shown.")
            .maxLength(72);

    static ObjectNode describe() {
        Map<String, Schema> fields = new LinkedHashMap<>();
        fields.put(
                "id",
                Schema.integer().describedAs("Its number.").context(EVERYWHERE).readOnly());
        fields.put("username", USERNAME.context(EDIT));
        fields.put("name", NAME.context(EVERYWHERE));
        fields.put("first_name", FIRST_NAME.context(EDIT));
        fields.put("last_name", LAST_NAME.context(EDIT));
        fields.put("email", EMAIL.context(EDIT));
        fields.put("url", URL.context(EVERYWHERE));
        fields.put("description", DESCRIPTION.context(EVERYWHERE));
        fields.put(
                "link",
                Schema.string()
                        .describedAs("The address of a page with what they wrote.")
                        .format("uri")
                        .context(EVERYWHERE)
                        .readOnly());
        fields.put("locale", LOCALE.context(EDIT));
        fields.put("nickname", NICKNAME.context(EDIT));
        fields.put("slug", SLUG.context(EVERYWHERE));
        fields.put(
                "registered_date",
                Schema.string()
                        .describedAs("When the account was made.")
                        .format("date-time")
                        .context(EDIT)
                        .readOnly());
        fields.put("roles", ROLES_SCHEMA.context(EDIT));
        fields.put(
                "capabilities",
                Schema.object()
                        .describedAs("What the account may do.")
                        .context(EDIT)
                        .readOnly());
        fields.put(
                "meta",
                Schema.object()
                        .describedAs("What tools keep with it.")
                        .context("view", "edit")
                        .withoutProperties());
        return thing("user", fields);
    }

    static ObjectNode describePassword() {
        Map<String, Schema> fields = new LinkedHashMap<>();
        fields.put(
                "uuid",
                Schema.string()
                        .describedAs("What it is known by.")
                        .format("uuid")
                        .context(EVERYWHERE)
                        .readOnly());
        fields.put("app_id", APP_ID.context(EVERYWHERE));
        fields.put("name", PASSWORD_NAME.context(EVERYWHERE));
        fields.put(
                "password",
                Schema.string()
                        .describedAs("The password itself, shown once when it is made.")
                        .context(EDIT)
                        .readOnly());
        for (String moment : new String[] {"created", "last_used"}) {
            fields.put(
                    moment,
                    Schema.ofTypes("string", "null")
                            .describedAs("In GMT.")
                            .format("date-time")
                            .context("view", "edit")
                            .readOnly());
        }
        fields.put(
                "last_ip",
                Schema.ofTypes("string", "null")
                        .describedAs("Where it was used last.")
                        .context("view", "edit")
                        .readOnly());
        return thing("application-password", fields);
    }

    private static final Schema APP_ID =
            Schema.string().describedAs("The UUID of the application.").format("uuid");
    private static final Schema PASSWORD_NAME =
            Schema.string().describedAs("What its owner calls it.").maxLength(200);

    static Arguments password(boolean isNew) {
        return Arguments.of(
                Argument.optional("app_id", APP_ID),
                isNew ? Argument.required("name", PASSWORD_NAME) : Argument.optional("name", PASSWORD_NAME));
    }

    private static ObjectNode thing(String title, Map<String, Schema> fields) {
        ObjectNode schema =
                JsonNodeFactory.instance.objectNode().put("$schema", "http://json-schema.org/draft-04/schema#");
        schema.put("title", title);
        schema.put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        fields.forEach((name, field) -> properties.set(name, field.describe()));
        return schema;
    }
}
