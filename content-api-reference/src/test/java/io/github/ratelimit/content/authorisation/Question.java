package io.github.ratelimit.content.authorisation;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A request that every caller sends in turn.
 *
 * @param route the route as a person reads it
 * @param name what is asked, within the route
 * @param call makes the request, without credentials, for the caller of that name
 * @param granted puts things back after a caller got what it asked for
 * @param isUsual whether it is asked without {@code -Pfull}
 */
record Question(
        String route, String name, Function<String, SiteClient.Call> call, Consumer<Answer> granted, boolean isUsual) {

    /** Returns the name with its route before it. */
    String qualifiedName() {
        return route + " " + name;
    }
}
