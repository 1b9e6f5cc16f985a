package io.github.ratelimit.content.demo;

import io.github.ratelimit.content.cms.rest.Dispatcher;
import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Caller;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The content of the demonstration site, written through the interface. */
@Component
class DemoContent {
    private final Dispatcher interfaceOfSite;

    DemoContent(Dispatcher dispatcher) {
        this.interfaceOfSite = dispatcher;
    }

    /** Writes all of it, as an account that may. */
    void write(Caller author) {
        long news = term(author, "categories", "News");
        long guides = term(author, "categories", "Guides");
        long limits = term(author, "tags", "limits");
        ObjectNode welcome = published("Welcome to the demonstration site", """
                <!-- wp:paragraph -->
                <p>Everything here can be read and changed through the interface, and counts against its limits.</p>
                <!-- /wp:paragraph -->

                <!-- wp:paragraph -->
                <p>The <a href="/demo">demonstration</a> shows a chat widget that exceeds its limit, waits and continues.</p>
                <!-- /wp:paragraph -->

                <!-- wp:paragraph -->
                <p>Sign in with the account that the first startup printed.</p>
                <!-- /wp:paragraph -->""");
        welcome.put("sticky", true).put("date", "2024-01-15T09:00:00");
        welcome.putArray("categories").add(news);
        create(author, "posts", welcome);

        ObjectNode refused = published("A rejected client knows when to retry", """
                A client above its limit gets status 429. The response names the time to retry.

                A client that waits for "Retry-After" -- and no longer -- is served.""");
        refused.put("date", "2024-02-20T09:00:00");
        refused.putArray("categories").add(guides);
        refused.putArray("tags").add(limits);
        create(author, "posts", refused);

        ObjectNode shared = published("Many behind one address", """
                A whole office may share one address. So one limit can count by two parts: the address, and the browser.""");
        shared.put("date", "2024-03-05T09:00:00").put("format", "aside");
        shared.putArray("categories").add(guides);
        shared.putArray("tags").add(limits);
        create(author, "posts", shared);

        create(
                author,
                "posts",
                published("A guarded post", "This text needs a password.")
                        .put("date", "2024-04-01T09:00:00")
                        .put("password", "open-sesame"));
        create(
                author,
                "posts",
                text("Not finished yet", "Only its author and editors see a draft.")
                        .put("status", "draft"));

        long about = create(
                author,
                "pages",
                published("About", "This site shows a content interface at work.")
                        .put("date", "2024-01-10T09:00:00")
                        .put("menu_order", 1));
        create(
                author,
                "pages",
                published("Contact", "Try the interface here: nobody else uses this site.")
                        .put("date", "2024-01-11T09:00:00")
                        .put("parent", about)
                        .put("menu_order", 2));
    }

    private long term(Caller author, String collection, String name) {
        return create(author, collection, JsonNodeFactory.instance.objectNode().put("name", name));
    }

    private static ObjectNode published(String title, String content) {
        return text(title, content).put("status", "publish");
    }

    private static ObjectNode text(String title, String content) {
        return JsonNodeFactory.instance.objectNode().put("title", title).put("content", content);
    }

    private long create(Caller author, String collection, ObjectNode body) {
        RestRequest request =
                RestRequest.ofServer(RestMethod.POST, "/cms/v2/" + collection, author, "http://localhost", body);
        RestAnswer answer = interfaceOfSite.serve(request);
        JsonNode made = answer.body().tree();
        if (answer.isError()) {
            throw new IllegalStateException("the demonstration site cannot be made: " + made);
        }
        return made.path("id").longValue();
    }
}
