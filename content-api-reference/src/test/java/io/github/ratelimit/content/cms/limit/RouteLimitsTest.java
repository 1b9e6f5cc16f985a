package io.github.ratelimit.content.cms.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes are limited by the library's own property, and a batch costs what its requests would cost. */
@TestInstance(Lifecycle.PER_CLASS)
final class RouteLimitsTest {
    private static final String PATHS = "--ratelimit.http.paths";
    private static final String LIMITERS = "--ratelimit.limiters.";

    private final Account admin = Accounts.standard().get("admin");

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2,
            limiter("writing", 30),
            LIMITERS + "writing.rules[0].name=minute",
            LIMITERS + "writing.rules[0].window=1h",
            LIMITERS + "writing.rules[0].key=header:X-Test",
            limiter("reading", 2),
            LIMITERS + "reading.rules[0].name=minute",
            LIMITERS + "reading.rules[0].window=1h",
            LIMITERS + "reading.rules[0].key=header:X-Test",
            PATHS + "[0].pattern=/index.php/cms/v2/posts/**",
            PATHS + "[0].methods=POST,PUT,PATCH,DELETE",
            PATHS + "[0].limiter=writing",
            PATHS + "[1].pattern=/index.php/cms/v2/tags",
            PATHS + "[1].limiter=reading",
            // Two rules of one limiter; below them a second limiter of the same routes.
            limiter("filing", 10),
            LIMITERS + "filing.rules[0].window=1h",
            LIMITERS + "filing.rules[0].key=header:X-Test",
            limiter("sorting", 4),
            LIMITERS + "sorting.rules[0].window=1h",
            LIMITERS + "sorting.rules[0].key=header:X-Test",
            PATHS + "[2].pattern=/index.php/cms/v2/tags/*",
            PATHS + "[2].methods=DELETE",
            PATHS + "[2].limiter=filing",
            PATHS + "[3].pattern=/index.php/cms/v2/categories/*",
            PATHS + "[3].methods=DELETE",
            PATHS + "[3].limiter=filing",
            PATHS + "[4].pattern=/index.php/cms/v2/categories/*",
            PATHS + "[4].limiter=sorting",
            limiter("lower-case", 10),
            LIMITERS + "lower-case.rules[0].window=1h",
            PATHS + "[5].pattern=/index.php/cms/v2/media/*",
            PATHS + "[5].methods=delete",
            PATHS + "[5].limiter=lower-case",
            limiter("searches", 1),
            LIMITERS + "searches.rules[0].window=1h",
            LIMITERS + "searches.rules[0].key=header:X-Test",
            limiter("batch-requests", 100),
            LIMITERS + "batch-requests.rules[0].window=1h",
            LIMITERS + "batch-requests.rules[0].key=header:X-Test");

    private final SiteClient site = new SiteClient(server.base());

    private static String limiter(String name, int permits) {
        return LIMITERS + name + ".rules[0].permits=" + permits;
    }

    @Test
    void aRouteIsLimitedHoweverItIsSpelled() {
        assertThat(tags("/cms/v2/tags").status()).isEqualTo(200);
        assertThat(tags("/cms/v2/TAGS//").status()).isEqualTo(200);

        Answer refused = tags("/cms/v2/tags");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().path("code").asString()).isEqualTo("rest_rate_limited");
        assertThat(refused.json().path("data").path("status").intValue()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isPresent();
        assertThat(site.call("GET", "/cms/v2/categories")
                        .header("X-Test", "tags")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    private Answer tags(String route) {
        return site.call("GET", route).header("X-Test", "tags").send();
    }

    @Test
    void aBatchCostsAsManyPermitsAsItHasRequestsOfTheLimitedRoute() {
        assertThat(batch(25, "/cms/v2/posts/999999").header("X-RateLimit-Remaining"))
                .contains("5");
        assertThat(batch(25, "/cms/v2/pages/999999").status()).isEqualTo(207);

        Answer refused = batch(6, "/cms/v2/posts/999999");

        assertThat(refused.status()).isEqualTo(429);
        assertThat(batch(5, "/cms/v2/posts/999999").status()).isEqualTo(207);
    }

    @Test
    void aRequestOfABatchCountsHoweverItsAddressIsSpelled() {
        for (String path : List.of("http://x.example/cms/v2/tags/9", "//x/cms/v2/TAGS/9", "/cms/v2/tags/9#x")) {
            assertThat(batch("spelled", List.of(delete(path))).status()).isEqualTo(207);
        }

        assertThat(batch("spelled", List.of(delete("/cms/v2/tags/999999"))).header("X-RateLimit-Remaining"))
                .contains("6");
    }

    @ParameterizedTest
    @CsvSource({
        "/cms/v2/posts/999999,true",
        "/cms/v2/p%6fsts/999999,false",
        "/cms/v2/posts%2F9,false",
        "/cms/v2/posts/%399999,false",
        "/cms/v2/posts/999999#x,true",
        "/cms/v2/posts/999999?x=#y,true",
        "/cms/v2/posts/999999;x,false",
        "/cms/v2/./posts/999999,false",
        "/cms/v2/x/../posts/999999,false",
        "//x/cms/v2/Posts/999999,true",
        "http://x:8/cms/v2/posts/999999,true",
        "https:///cms/v2/posts/999999,false",
        "cms/v2/posts/999999,false",
        "/cms/v2/posts/999999/,false",
        "/cms/v2//posts/999999,false",
        "?rest_route=/cms/v2/posts/999999,false",
        "/index.php?rest_route=/cms/v2/posts/999999,false"
    })
    void whatABatchServesIsWhatIsCounted(String path, boolean isServed) {
        String address = server.base() + "/index.php?rest_route=";
        String member = "[{\"method\": \"DELETE\", \"path\": \"" + path + "\"}]";
        Query form = Query.of("requests[0][method]", "DELETE", "requests[0][path]", path);
        List<SiteClient.Call> spellings = List.of(
                site.call("POST", "/batch/v1").json("{\"requests\": " + member + "}"),
                site.call("POST", "/batch/v1").form(form),
                site.call("POST", "/batch/v1", form),
                site.call("PUT", "/batch/v1").json("{\"requests\": " + member + "}"),
                site.callAddress("POST", address + "%2Fbatch/v%31").form(form),
                site.callAddress("POST", address + "/batch/V1/").form(form),
                site.callAddress("POST", server.base() + "/?rest_route=/batch/v1")
                        .form(form),
                site.callAddress("POST", address + "/batch/v1&_method=post").form(form),
                site.call("POST", "/batch/v1")
                        .header("X-HTTP-Method-Override", "PUT")
                        .form(form));
        int number = 0;
        for (SiteClient.Call spelling : spellings) {
            String key = "spelling of " + path + " " + number++;
            Answer answer = spelling.as(admin).header("X-Test", key).send();
            String code = answer.json()
                    .path("responses")
                    .path(0)
                    .path("body")
                    .path("code")
                    .asString("");

            assertThat(code.equals("rest_post_invalid_id"))
                    .as(key + answer.text())
                    .isEqualTo(isServed && answer.status() == 207);
            if (code.equals("rest_post_invalid_id")) {
                assertThat(answer.header("X-RateLimit-Remaining")).as(key).contains("29");
            }
        }
    }

    @Test
    void rulesOfOneLimiterCountEveryRequestOfABatchOnce() {
        List<String> requests = new ArrayList<>(Collections.nCopies(2, delete("/cms/v2/tags/999999")));
        requests.add(delete("/cms/v2/categories/999999"));

        Answer answer = batch("filing", requests);

        assertThat(answer.status()).isEqualTo(207);
        assertThat(batch("filing", List.of(delete("/cms/v2/tags/999999"))).header("X-RateLimit-Remaining"))
                .contains("6");
    }

    @Test
    void aMethodLimitsHoweverItIsSpelled() {
        Answer answer = site.call("DELETE", "/cms/v2/media/999999").as(admin).send();

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.header("X-RateLimit-Remaining")).contains("9");
    }

    @Test
    void whatOneLimiterRefusesCostsNothingWithTheOthers() {
        List<String> five = Collections.nCopies(5, delete("/cms/v2/categories/999999"));

        Answer refused = batch("both", five);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("X-RateLimit-Limit")).contains("4");
        assertThat(refused.header("Retry-After")).as("five never fit into four").isEmpty();

        List<String> mixed = new ArrayList<>(Collections.nCopies(3, delete("/cms/v2/tags/999999")));
        mixed.addAll(five);
        Answer refusedForAPart = batch("both", mixed); // eight with one limiter, five with the other
        assertThat(refusedForAPart.status()).isEqualTo(429);
        assertThat(refusedForAPart.header("X-RateLimit-Limit")).contains("4");

        assertThat(batch("both", List.of(delete("/cms/v2/tags/999999"))).header("X-RateLimit-Remaining"))
                .as("of filing, from which nothing was taken")
                .contains("9");
        assertThat(batch("both", five.subList(0, 4)).status()).isEqualTo(207);
    }

    @Test
    void searchesOfAnAddressAreLimitedHoweverTheyAreSpelled() {
        String address = server.base() + "/index.php?rest_route=";
        Query words = Query.of("search", "words");
        List<SiteClient.Call> spellings = List.of(
                site.call("GET", "/cms/v2/posts", words),
                site.call("GET", "/cms/v2/PAGES/", words),
                site.call("HEAD", "/cms/v2/media", words),
                site.call("GET", "/cms/v2/users", words),
                site.call("GET", "/cms/v2/categories", words),
                site.callAddress("GET", server.base() + "/?rest_route=/cms/v2/posts&search=words"),
                site.callAddress("GET", address + "/cms/v2/posts&%73earch=words"),
                site.callAddress("POST", address + "/cms/v2/posts&search=words&_method=get"),
                site.callAddress("POST", address + "/cms/v2/posts&_method=GET").json("{\"search\": \"words\"}"),
                site.call("POST", "/cms/v2/posts")
                        .header("X-HTTP-Method-Override", "GET")
                        .json("{\"search\": \"words\"}"));
        int number = 0;
        for (SiteClient.Call spelling : spellings) {
            String key = "search " + number++;
            Answer first = spelling.header("X-Test", key).send();
            assertThat(first.status()).as(key).isEqualTo(200);
            assertThat(first.header("X-RateLimit-Limit")).as(key).isEmpty();

            Answer refused = site.call("GET", "/cms/v2/posts", words)
                    .header("X-Test", key)
                    .send();
            assertThat(refused.status()).as(key).isEqualTo(429);
            assertThat(refused.json().path("code").asString()).isEqualTo("rest_rate_limited");
            assertThat(refused.header("Retry-After")).isPresent();

            for (String none : List.of("", "&search=", "&search[]=words&search[]=more")) {
                assertThat(site.callAddress("GET", address + "/cms/v2/posts" + none)
                                .header("X-Test", key)
                                .send()
                                .status())
                        .as("a list, or no search that is served: " + none)
                        .isNotEqualTo(429);
            }
        }
    }

    @Test
    void requestsWithinBatchesOfAnAddressAreLimited() {
        for (int i = 0; i < 4; i++) {
            Answer answer = batch("work", Collections.nCopies(25, delete("/cms/v2/pages/999999")));
            assertThat(answer.status()).isEqualTo(207);
            assertThat(answer.header("X-RateLimit-Limit")).isEmpty();
        }

        Answer refused = batch("work", List.of(delete("/cms/v2/pages/999999")));

        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.json().path("code").asString()).isEqualTo("rest_rate_limited");
        assertThat(refused.header("Retry-After")).isPresent();
    }

    @Test
    void whileLimitsAreSwitchedOffNoRuleOfThemMatters() {
        try (ReferenceServer unlimited = ReferenceServer.start(
                Database.H2,
                "--ratelimit.enabled=false",
                limiter("none", 0),
                PATHS + "[0].pattern=/index.php/cms/v2/tags",
                PATHS + "[0].limiter=unknown",
                PATHS + "[1].pattern=/index.php/cms/v2/categories/{id}",
                PATHS + "[1].limiter=unknown")) {
            Answer answer =
                    new SiteClient(unlimited.base()).call("GET", "/cms/v2/tags").send();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("X-RateLimit-Limit")).isEmpty();
        }
    }

    private Answer batch(int requests, String path) {
        return batch("batch", Collections.nCopies(requests, delete(path)));
    }

    private static String delete(String path) {
        return "{\"method\": \"DELETE\", \"path\": \"" + path + "?force=true\"}";
    }

    private Answer batch(String key, List<String> requests) {
        return site.call("POST", "/batch/v1")
                .as(admin)
                .header("X-Test", key)
                .json("{\"requests\": [" + String.join(",", requests) + "]}")
                .send();
    }
}
