package io.github.ratelimit.content.cms.user;

import static io.github.ratelimit.content.cms.rest.Context.EDITING;
import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static io.github.ratelimit.content.cms.rest.Context.NOT_EMBEDDED;

import io.github.ratelimit.content.cms.rest.Argument;
import io.github.ratelimit.content.cms.rest.Fields;
import io.github.ratelimit.content.cms.rest.Schema;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.security.Role;
import io.github.ratelimit.content.cms.text.SiteDates;
import java.time.ZoneOffset;
import java.util.Locale;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The members of an account as answers show them. */
final class UserFields {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    static final Argument ID = Argument.optional("id", Schema.integer().describedAs("The number of the account."));

    static final Fields<Shown, Void> TABLE = fields();

    private UserFields() {}

    /**
     * An account as an answer shows it.
     *
     * @param account the account
     * @param base the address of the site
     */
    record Shown(Account account, String base) {
        String link() {
            return base + "/?author=" + account.id();
        }
    }

    private static Fields<Shown, Void> fields() {
        Fields.Table<Shown, Void> fields = Fields.declareShown();
        Fields.Members<Account, Void> account = fields.of(Shown::account);
        account.number("id", "Its number.", EVERYWHERE, Account::id);
        account.text("username", "The name to sign in with.", EDITING, Account::login);
        account.text("name", "The name that readers see.", EVERYWHERE, Account::name);
        account.text("email", "Email address.", EDITING, Account::email);
        account.text("url", "The address of a site of theirs; always empty here.", EVERYWHERE, known -> "");
        account.text("description", "A text about them; always empty here.", EVERYWHERE, known -> "");
        fields.text("link", "The address of a page with their items.", "uri", EVERYWHERE, Shown::link);
        account.text("slug", "The name in addresses.", EVERYWHERE, Account::slug);
        account.text("registered_date", "When the account was made.", "date-time", EDITING, UserFields::registered);
        Schema roles = Schema.arrayOf(Schema.string()).describedAs("The role of the account.");
        account.add(
                "roles",
                roles,
                EDITING,
                known -> JSON.arrayNode().add(known.role().wireName()));
        Schema capabilities = Schema.object().describedAs("What the account may do.");
        account.of(Account::role).add("capabilities", capabilities, EDITING, UserFields::capabilities);
        Schema meta = Schema.object().describedAs("Members of tools.").withoutProperties();
        fields.add("meta", meta, NOT_EMBEDDED, shown -> JSON.arrayNode()).unmarked();
        return fields.build();
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
