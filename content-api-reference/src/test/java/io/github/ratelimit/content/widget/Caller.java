package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import org.jspecify.annotations.Nullable;

/** Calls the surfaces as somebody: a visitor, a site's plugin, or nobody. Safe for concurrent use. */
final class Caller {

    private final SiteClient client;
    private final @Nullable String token;

    private Caller(SiteClient client, @Nullable String token) {
        this.client = client;
        this.token = token;
    }

    static Caller nobody(SiteClient client) {
        return new Caller(client, null);
    }

    /** The same connection with a token. */
    Caller with(String token) {
        return new Caller(client, token);
    }

    /** A visitor who has just opened the widget. */
    Caller visitor() {
        return with(post("/api/v1/widget/init", "{}").text("/token"));
    }

    Answer get(String path) {
        return call("GET", path).send();
    }

    Answer delete(String path) {
        return call("DELETE", path).send();
    }

    Answer post(String path) {
        return call("POST", path).send();
    }

    Answer post(String path, String json) {
        return call("POST", path).json(json).send();
    }

    SiteClient.Call call(String method, String path) {
        SiteClient.Call call = client.callAddress(method, client.base() + path);
        return token == null ? call : call.header("Authorization", "Bearer " + token);
    }
}
