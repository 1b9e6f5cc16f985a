package io.github.ratelimit.content.cms.user;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Arguments;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.InvalidValue;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.AccountChanges;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.security.Role;
import io.github.ratelimit.content.cms.text.Beginning;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.SingleLine;
import io.github.ratelimit.content.cms.text.SiteDates;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.shared.storage.Column;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The table of the members of an account, and what else its routes accept. */
final class UserFields {
    static final Argument CONTEXT = Argument.optional(
            "context",
            Schema.string()
                    .describedAs("What the answer is for; decides which fields it has.")
                    .among("view", "embed", "edit")
                    .defaultsTo("view"));
    static final Argument ID = Argument.optional("id", Schema.integer().describedAs("The number of the account."));

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    /** As many as the column holds: signs that have a meaning in HTML are longer once they are written out. */
    private static final int LONGEST_DESCRIPTION = 20_000;

    private static final int LONGEST_NAME = 500;
    private static final Column<String> FIRST_NAME = Column.text("first_name", LONGEST_NAME);
    private static final Column<String> LAST_NAME = Column.text("last_name", LONGEST_NAME);
    private static final Column<String> DESCRIPTION = Column.text("description", LONGEST_DESCRIPTION);
    private static final Pattern WITHOUT_SCHEME = Pattern.compile("[^\\s:/?#]+(?:[/?#]\\S*)?");

    /** The members of an account. */
    static final Fields<Shown, AccountChanges> TABLE = fields();

    private UserFields() {}

    /**
     * An account as an answer shows it.
     *
     * @param account the account
     * @param base the site's address
     */
    record Shown(Account account, String base) {
        String link() {
            return base + "/?author=" + account.id();
        }
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

    private static Fields<Shown, AccountChanges> fields() {
        Fields.Table<Shown, AccountChanges> fields = Fields.declare();
        Fields.Members<Account, AccountChanges> account = fields.of(Shown::account);
        Fields.Stored<AccountChanges> stored = account.stored(Account::row, AccountChanges::set);
        account.number("id", "Its number.", EVERYWHERE, Account::id);
        account.text("username", "The name to sign in with.", EDITING, Account::login)
                .with(schema -> schema.maxLength(60))
                .readBy(checked(
                        Accounts::isLogin,
                        () -> InvalidValue.of(
                                "rest_user_invalid_username",
                                "Sorry, that username is not allowed.",
                                JSON.objectNode().put("status", 400))))
                .writtenBy(UserFields::apart);
        stored.add(Account.DISPLAY_NAME, "name", "The name that readers see.", EVERYWHERE)
                .with(schema -> schema.maxLength(250))
                .writtenBy((changes, sent) -> unlessBlank(changes, Account.DISPLAY_NAME, sent));
        stored.add(FIRST_NAME, "first_name", "First name.", EDITING)
                .with(schema -> schema.maxLength(250))
                .writtenBy((changes, sent) -> changes.set(FIRST_NAME, line(sent)));
        stored.add(LAST_NAME, "last_name", "Last name.", EDITING)
                .with(schema -> schema.maxLength(250))
                .writtenBy((changes, sent) -> changes.set(LAST_NAME, line(sent)));
        stored.add(Account.EMAIL, "email", "Mail address.", EDITING)
                .with(schema -> schema.maxLength(254))
                .readBy(checked(
                        Accounts::isEmail, () -> InvalidValue.of("rest_invalid_email", "Invalid email address.")));
        stored.add(Account.URL, "url", "Address of a site of theirs.", EVERYWHERE)
                .with(schema -> schema.maxLength(1000))
                .writtenBy((changes, sent) -> changes.set(Account.URL, link(sent.stringValue())));
        stored.add(DESCRIPTION, "description", "What they say about themselves.", EVERYWHERE)
                .with(schema -> schema.maxLength(10_000))
                .writtenBy((changes, sent) -> changes.set(DESCRIPTION, harmless(sent.stringValue())));
        fields.text("link", "The address of a page with what they wrote.", "uri", EVERYWHERE, Shown::link);
        stored.add(Column.text("locale", 40), "locale", "The language they would like to see.", EDITING)
                .with(schema -> schema.maxLength(20));
        stored.add(Account.NICKNAME, "nickname", "A short name.", EDITING)
                .with(schema -> schema.maxLength(250))
                .writtenBy((changes, sent) -> unlessBlank(changes, Account.NICKNAME, sent));
        account.text("slug", "The name in addresses.", EVERYWHERE, Account::slug)
                .with(schema -> schema.maxLength(200))
                .writtenBy(UserFields::withSlug);
        account.text("registered_date", "When the account was made.", "date-time", EDITING, UserFields::registered);
        Schema roles = Schema.arrayOf(Schema.string())
                .describedAs("What the account is allowed to be; one role.")
                .maxItems(1);
        account.add(
                        "roles",
                        roles,
                        EDITING,
                        known -> JSON.arrayNode().add(known.role().wireName()))
                .writtenBy(UserFields::withRole);
        Schema capabilities = Schema.object().describedAs("What the account may do.");
        account.of(Account::role).add("capabilities", capabilities, EDITING, UserFields::capabilities);
        Schema meta = Schema.object().describedAs("What tools keep with it.").withoutProperties();
        fields.add("meta", meta, NOT_EMBEDDED, shown -> JSON.arrayNode()).unmarked();
        Schema password = Schema.string()
                .describedAs("Password to sign in with; never shown.")
                .maxLength(72);
        fields.add("password", password, List.of(), shown -> null)
                .readBy(checked(
                        Accounts::isPassword,
                        () -> InvalidValue.of("rest_user_invalid_password", "Passwords must have 1 to 72 bytes.")))
                .writtenBy(UserFields::apart);
        return fields.build();
    }

    /** A login name is chosen once, when the account is made, and a password is hashed before it is kept. */
    private static AccountChanges apart(AccountChanges changes, JsonNode sent) {
        return changes;
    }

    private static AccountChanges unlessBlank(AccountChanges changes, Column<String> column, JsonNode sent) {
        String line = line(sent);
        return line.isEmpty() ? changes : changes.set(column, line);
    }

    private static String line(JsonNode sent) {
        return Beginning.of(SingleLine.of(sent.stringValue()), LONGEST_NAME);
    }

    /** Whoever shows it may do so as it is. */
    private static String harmless(String text) {
        String clean = HtmlPolicy.cleanTitle(text);
        if (clean.length() <= LONGEST_DESCRIPTION) {
            return clean;
        }
        String beginning = Beginning.of(clean, LONGEST_DESCRIPTION);
        return withoutOpened(withoutOpened(beginning, '<', '>'), '&', ';');
    }

    /** A cut may have gone through a tag or a reference. */
    private static String withoutOpened(String text, char opening, char closing) {
        int opened = text.lastIndexOf(opening);
        return opened > text.lastIndexOf(closing) ? text.substring(0, opened) : text;
    }

    /** Refuses a text as an argument, which is before anybody is asked whether the caller may write. */
    private static UnaryOperator<Argument> checked(Predicate<String> fits, Supplier<InvalidValue> refusal) {
        return argument -> {
            Argument.Reader reader = argument.reader();
            return argument.readBy((request, value) -> {
                JsonNode read = reader.read(request, value);
                if (!fits.test(read.stringValue())) {
                    throw refusal.get();
                }
                return read;
            });
        };
    }

    /** What leaves nothing of a slug is no wish for one. */
    private static AccountChanges withSlug(AccountChanges changes, JsonNode sent) {
        String wish = Slugs.of(sent.stringValue());
        return wish.isEmpty() ? changes : changes.set(Account.SLUG, wish);
    }

    private static AccountChanges withRole(AccountChanges changes, JsonNode sent) {
        if (sent.isEmpty()) {
            return changes;
        }
        String name = sent.get(0).stringValue();
        if (Role.of(name).isEmpty()) {
            throw RestError.of(400, "rest_user_invalid_role", "The role " + name + " does not exist.");
        }
        return changes.set(Account.ROLE, name);
    }

    /** It is shown as a link, so it must not be able to run code. */
    private static String link(String url) {
        String whole = WITHOUT_SCHEME.matcher(url).matches() ? "http://" + url : url;
        if (!whole.isEmpty() && !whole.matches("https?://\\S+")) {
            throw RestError.of(400, "rest_invalid_param", "Invalid parameter(s): url")
                    .with("params", JSON.objectNode().put("url", "Invalid URL."))
                    .with("details", JSON.objectNode());
        }
        return whole;
    }

    private static String registered(Account account) {
        return SiteDates.print(account.registered(), ZoneOffset.UTC) + "+00:00";
    }

    /** Tells what a role is allowed, as accounts show it. */
    static ObjectNode capabilities(Role role) {
        ObjectNode capabilities = JSON.objectNode();
        for (Capability capability : role.capabilities()) {
            capabilities.put(capability.name().toLowerCase(Locale.ROOT), true);
        }
        return capabilities.put(role.wireName(), true);
    }
}
