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

/** What the demonstration site shows, written through the interface like anything else. */
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
                <p>A <a href="/demo">shop that does not exist</a> shows the chat widget at work, and what happens to who asks too often.</p>
                <!-- /wp:paragraph -->

                <!-- wp:paragraph -->
                <p>Sign in with the account that was printed when the server started.</p>
                <!-- /wp:paragraph -->""");
        welcome.put("sticky", true).put("date", "2024-01-15T09:00:00");
        welcome.putArray("categories").add(news);
        create(author, "posts", welcome);

        ObjectNode refused = published("What a refused client is told", """
                Whoever asks too often gets the status 429, and learns from the header when it is worth trying again.

                A client that waits as long as "Retry-After" says -- and no longer -- is served.""");
        refused.put("date", "2024-02-20T09:00:00");
        refused.putArray("categories").add(guides);
        refused.putArray("tags").add(limits);
        create(author, "posts", refused);

        ObjectNode shared = published("Many behind one address", """
                A whole office may share one address. That is why one limit can look at two things at once: the address,
                and who is asking.""");
        shared.put("date", "2024-03-05T09:00:00").put("format", "aside");
        shared.putArray("categories").add(guides);
        shared.putArray("tags").add(limits);
        create(author, "posts", shared);

        create(
                author,
                "posts",
                published("For those who know the word", "This text opens with a password.")
                        .put("date", "2024-04-01T09:00:00")
                        .put("password", "open-sesame"));
        create(
                author,
                "posts",
                text("Not finished yet", "A draft is for its author and for editors.")
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
                published("Contact", "There is nobody here; that makes it a quiet place to try things out.")
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
