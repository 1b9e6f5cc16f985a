package io.github.ratelimit.content.user;

import io.github.ratelimit.content.security.Account;
import io.github.ratelimit.content.security.ApplicationPassword;
import io.github.ratelimit.content.security.Capability;
import io.github.ratelimit.content.text.SiteDates;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestRequest;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Shows accounts and their application passwords. */
final class UserView {
    static final String ROUTE = "/cms/v2/users";

    private UserView() {}

    /** Shows an account; in edit context with what only its owner and those who manage accounts may see. */
    static ObjectNode show(RestRequest request, Account account, String context) {
        boolean edit = context.equals("edit");
        Account.Profile profile = account.profile();
        ObjectNode shown = JsonNodeFactory.instance.objectNode().put("id", account.id());
        if (edit) {
            shown.put("username", account.login());
        }
        shown.put("name", profile.displayName());
        if (edit) {
            shown.put("first_name", profile.firstName());
            shown.put("last_name", profile.lastName());
            shown.put("email", account.email().orElse(""));
        }
        shown.put("url", profile.url());
        shown.put("description", profile.description());
        shown.put("link", request.baseUrl() + "/?author=" + account.id());
        if (edit) {
            shown.put("locale", profile.locale());
            shown.put("nickname", profile.nickname());
        }
        shown.put("slug", account.slug());
        if (edit) {
            shown.put("registered_date", SiteDates.print(account.registered(), ZoneOffset.UTC) + "+00:00");
            shown.putArray("roles").add(account.role().wireName());
            ObjectNode capabilities = shown.putObject("capabilities");
            for (Capability capability : account.role().capabilities()) {
                capabilities.put(capability.name().toLowerCase(Locale.ROOT), true);
            }
            capabilities.put(account.role().wireName(), true);
        }
        if (!context.equals("embed")) {
            shown.putArray("meta");
        }
        ObjectNode links = shown.putObject("_links");
        link(links, "self", RestAddress.of(request.baseUrl(), ROUTE + "/" + account.id()));
        link(links, "collection", RestAddress.of(request.baseUrl(), ROUTE));
        return shown;
    }

    /** Shows an application password; the secret only where it was just made. */
    static ObjectNode show(RestRequest request, ApplicationPassword password, @Nullable String secret) {
        ObjectNode shown = JsonNodeFactory.instance.objectNode().put("uuid", password.uuid());
        shown.put("app_id", password.appId());
        shown.put("name", password.name());
        shown.put("created", moment(Optional.of(password.created())));
        if (secret != null) {
            shown.put("password", secret);
        }
        shown.put("last_used", moment(password.lastUsed()));
        shown.put("last_ip", password.lastIp().orElse(null));
        link(shown.putObject("_links"), "self", RestAddress.of(request.baseUrl(), route(password)));
        return shown;
    }

    static String route(ApplicationPassword password) {
        return ROUTE + "/" + password.accountId() + "/application-passwords/" + password.uuid();
    }

    private static @Nullable String moment(Optional<Instant> moment) {
        return moment.map(known -> SiteDates.print(known, ZoneOffset.UTC)).orElse(null);
    }

    private static void link(ObjectNode links, String relation, String address) {
        links.putArray(relation).addObject().put("href", address);
    }
}
