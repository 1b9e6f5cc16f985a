package io.github.ratelimit.content.cms.user;

import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.ApplicationPassword;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Shows accounts and their application passwords. */
final class UserView {
    static final String ROUTE = "/cms/v2/users";

    private UserView() {}

    static ObjectNode show(RestRequest request, Account account, Context context) {
        ObjectNode shown = UserFields.TABLE.show(request, new UserFields.Shown(account, request.baseUrl()), context);
        ObjectNode links = shown.putObject("_links");
        link(links, "self", RestAddress.of(request.baseUrl(), ROUTE + "/" + account.id()));
        link(links, "collection", RestAddress.of(request.baseUrl(), ROUTE));
        return shown;
    }

    /** Shows an application password, whole in every context; the secret only where it was just made. */
    static ObjectNode show(RestRequest request, ApplicationPassword password, @Nullable String secret) {
        ObjectNode shown = ApplicationPasswordFields.TABLE.show(
                request, new ApplicationPasswordFields.Shown(password, Optional.ofNullable(secret)), Context.EDIT);
        link(shown.putObject("_links"), "self", RestAddress.of(request.baseUrl(), route(password)));
        return shown;
    }

    static String route(ApplicationPassword password) {
        return ROUTE + "/" + password.accountId() + "/application-passwords/" + password.uuid();
    }

    private static void link(ObjectNode links, String relation, String address) {
        links.putArray(relation).addObject().put("href", address);
    }
}
