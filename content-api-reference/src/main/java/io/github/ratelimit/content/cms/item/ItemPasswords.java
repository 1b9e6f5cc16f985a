package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.limits.Guess;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Compares the password that a request sends with the password that guards an item's texts. */
final class ItemPasswords {
    private ItemPasswords() {}

    /**
     * Says whether the text of a guarded item is open to a request.
     *
     * @param request may carry the password, and says in which context it reads
     * @param item any
     * @param context the context in which it will be shown
     * @return true for items without a password
     */
    static boolean isOpen(RestRequest request, ItemHeader item, Context context) {
        if (!item.isGuarded()
                || (context == Context.EDIT && item.rightsOf(request.caller()).mayEdit())) {
            return true;
        }
        return password(request)
                .filter(password -> isPassword(request, item, password))
                .isPresent();
    }

    private static Optional<String> password(RestRequest request) {
        return request.queryText("password").filter(password -> !ItemDraft.isNothing(password));
    }

    /** Rejects a password that a request sends and that is not the item's. One in a body is a wish for a new one. */
    static void check(RestRequest request, ItemHeader item) {
        Optional<String> password = password(request);
        if (password.isPresent() && !isPassword(request, item, password.get())) {
            throw RestError.of(403, "rest_post_incorrect_password", "Incorrect post password.");
        }
    }

    private static boolean isPassword(RestRequest request, ItemHeader item, String password) {
        // In constant time: how far two of them are alike must not show.
        BooleanSupplier comparison = () -> MessageDigest.isEqual(
                password.getBytes(StandardCharsets.UTF_8), item.password().getBytes(StandardCharsets.UTF_8));
        if (!item.isGuarded() || item.rightsOf(request.caller()).mayEdit()) {
            // Nothing can be guessed here: there is no password, or the caller may read it.
            return comparison.getAsBoolean();
        }
        try {
            return request.guess().isRight(comparison);
        } catch (Guess.TooManyException tooMany) {
            throw RestError.tooMany(tooMany.retryAfter());
        }
    }
}
