package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Fields of an answer repeat the address of its request, and never end it. */
@OnDatabase(Database.H2)
final class LongAddressTest {
    /** Beyond what the server accepts of all fields of a request. */
    private static final int REJECTED = 9_000;

    /** What Node.js accepts of all fields of an answer. */
    private static final int MOST_OF_CLIENTS = 16_384;

    private final SiteClient site;
    private final SeededServer server;

    LongAddressTest(SeededServer server) {
        this.server = server;
        this.site = server.site();
    }

    @Test
    void everyListIsAnsweredAtTheLongestAddressThatIsAccepted() {
        List<String> lists = site.get("/").json().path("routes").properties().stream()
                .filter(route -> isList(route.getValue()))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(lists).hasSizeGreaterThan(8).contains("/cms/v2/posts", "/cms/v2/media", "/cms/v2/categories");
        for (String list : lists) {
            String kind =
                    list.contains("/pages/") ? "pages.about" : list.contains("/media/") ? "media.photo" : "posts.india";
            String route = list.replaceAll(
                    "\\(\\?P<[^>]+>\\[\\\\d\\]\\+\\)",
                    String.valueOf(server.content().id(kind)));
            for (String argument : List.of("exclude=9", "utm=", "a%5B%5D=%22", "search=%C3%A9")) {
                // Between two others, so that the answer links to both.
                walk("/index.php?rest_route=" + route + "&per_page=1&page=2&" + argument, argument);
            }
        }
    }

    private static boolean isList(JsonNode route) {
        return route.path("endpoints")
                .valueStream()
                .anyMatch(endpoint -> endpoint.at("/args/per_page").isObject()
                        && endpoint.path("methods").toString().contains("GET"));
    }

    /** Halves the distance between a length that is accepted and one that is not. */
    private void walk(String address, String argument) {
        int accepted = address.length();
        int rejected = REJECTED;
        while (rejected - accepted > 1) {
            int length = (accepted + rejected) / 2;
            Answer answer = open(address, length, argument);
            assertThat(answer.status()).as("%s, %d letters", address, length).isLessThan(500);
            if (isTooLong(answer)) {
                rejected = length;
            } else {
                accepted = length;
            }
        }
        assertThat(accepted).as(address).isBetween(7_000, 8_192);
        Answer longest = open(address, accepted, argument);
        int fields = longest.headers().map().entrySet().stream()
                .mapToInt(field ->
                        field.getKey().length() + field.getValue().toString().length())
                .sum();
        assertThat(fields).as(address).isLessThan(MOST_OF_CLIENTS);
    }

    /** Tomcat answers by itself, and has no code. */
    private static boolean isTooLong(Answer answer) {
        return answer.status() == 431
                || (answer.status() == 400 && !answer.text().contains("rest_"));
    }

    private Answer open(String address, int length, String argument) {
        String more = argument.startsWith("exclude") ? ",9" : argument.startsWith("a") ? "&a%5B%5D=1" : "x";
        String filled = address + more.repeat(Math.max(0, length - address.length()) / more.length());
        return site.as("admin").open(site.base() + filled + "x".repeat(length - filled.length()));
    }
}
