package io.github.ratelimit.content.authorisation;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What the administrator does to a site so that others can be asked about it. Not safe for concurrent use. */
final class Site {

    private final SiteClient client;
    private final Accounts accounts = Accounts.standard();
    private final Map<String, Long> accountIds = new LinkedHashMap<>();

    Site(SiteClient client) {
        this.client = client;
        for (Account account : accounts.all()) {
            Answer me = client.as(account).get("/cms/v2/users/me");
            accountIds.put(account.name(), id(me));
        }
    }

    SiteClient client() {
        return client;
    }

    long accountId(String name) {
        return accountIds.getOrDefault(name, 0L);
    }

    Account admin() {
        return accounts.get("admin");
    }

    /** Creates something and returns its id. */
    long create(String route, ObjectNode fields) {
        return id(succeed(client.as(admin()).call("POST", route).json(fields)));
    }

    /** Changes something. */
    void update(String route, ObjectNode fields) {
        succeed(client.as(admin()).call("POST", route).json(fields));
    }

    /** Deletes for good; what is gone already counts as deleted. */
    void deleteForGood(String route) {
        Answer answer = client.as(admin()).delete(route + "?force=true");
        if (answer.status() != 200 && answer.status() != 404) {
            throw new IllegalStateException("cannot delete " + route + ": " + answer.text());
        }
    }

    Answer succeed(SiteClient.Call call) {
        Answer answer = call.send();
        if (answer.status() != 200 && answer.status() != 201) {
            throw new IllegalStateException("cannot prepare the site: " + answer.status() + " " + answer.text());
        }
        return answer;
    }

    static long id(Answer answer) {
        JsonNode id = answer.json().path("id");
        if (!id.isIntegralNumber()) {
            throw new IllegalStateException("no id in " + answer.status() + " " + answer.text());
        }
        return id.longValue();
    }

    static ObjectNode fields() {
        return JsonNodeFactory.instance.objectNode();
    }
}
