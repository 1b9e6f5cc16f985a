package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.RateLimit;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What an operator sees of limits, and what he may change. Each test has limiters of its own. */
@ExtendWith(OutputCaptureExtension.class)
@Floor
class OperatorTest {

    private static RunningApplication application;

    @BeforeAll
    static void start() {
        application = RunningApplication.of(Application.class, Orders.class)
                .limiter("site", 100)
                .property("ratelimit.limiters.site.key", "client-address,header:X-Tenant")
                .limiter("posts", 5)
                .limiter("quiet", 1)
                .property("ratelimit.limiters.quiet.shadow", true)
                .property("ratelimit.limiters.orders.rules.daily.plans.free", 3)
                .property("ratelimit.limiters.orders.rules.daily.plans.pro", 30)
                .property("ratelimit.limiters.orders.rules.daily.plan-by", "attribute:plan")
                .property("ratelimit.limiters.orders.rules.daily.window", "1d")
                .property("ratelimit.limiters.orders.rules.daily.key", "principal | client-address")
                .property("ratelimit.limiters.orders.rules.team.permits", 9)
                .property("ratelimit.limiters.orders.rules.team.window", "1d")
                .property("ratelimit.limiters.orders.rules.team.key", "team")
                .property("ratelimit.limiters.orders.rules.team.skip-if", "role:ADMIN,10.0.0.0/8")
                .limiter("keyed", 9)
                .property("ratelimit.limiters.keyed.key", "principal | header:X-Api-Key | client-address")
                .limiter("counted", 2)
                .limiter("changed", 2)
                .limiter("opened", 1)
                .limiter("locked", 1)
                .property("ratelimit.limiters.locked.block", "15m")
                .limiter("reset", 1)
                .limiter("shared", 1)
                .property("ratelimit.limiters.shared.key", "everybody")
                .property("ratelimit.limiters.site.paths", "/orders/**")
                .property("ratelimit.limiters.site.exclude", "/orders/open")
                .property("ratelimit.limiters.posts.paths", "POST /orders/**")
                .property("ratelimit.limiters.quiet.paths", "/orders/**")
                .property("management.endpoints.web.exposure.include", "ratelimits")
                .property("management.endpoint.ratelimits.access", "unrestricted")
                .property("logging.level.io.github.ratelimit", "info")
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static RawHttp.Answer get(String path, String... fields) throws IOException {
        return RawHttp.get(application.base(), path, fields);
    }

    private static HttpResponse<String> post(String path, String json) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(application.base().resolve("/actuator/ratelimits" + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    // ---- look

    private static String look(String described) throws IOException {
        RawHttp.Answer answer = get("/actuator/ratelimits/orders?" + described);
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    @Test
    void lookTellsWhichPlanAppliesAndWhichRulesTakePart() throws Exception {
        assertThat(look("client=address:192.0.2.1"))
                .contains("\"name\":\"daily\",\"permits\":3,", "\"name\":\"team\",\"permits\":9,");
        assertThat(look("client=attribute:plan:pro&client=user:ann"))
                .contains("\"name\":\"daily\",\"permits\":30,")
                .doesNotContain("the team of ann");
        assertThat(look("client=user:ann&client=role:ADMIN")).contains("daily").doesNotContain("team");
        assertThat(look("client=address:10.1.2.3")).contains("daily").doesNotContain("team");
    }

    @Test
    void lookTellsThePlanOrThatItIsNotKnown() throws Exception {
        assertThat(look("client=attribute:plan:PRO&client=user:ann"))
                .contains("\"plan\":\"pro\"")
                .doesNotContain("note");
        for (String described :
                new String[] {"client=user:ann", "client=attribute:plan:gold", "client=attribute:Plan:"}) {
            assertThat(look(described))
                    .contains("\"permits\":3,", "\"note\":\"the description names no plan of free, pro: this is ")
                    .doesNotContain("\"plan\"");
        }
        assertThat(get("/actuator/ratelimits/orders").body())
                .containsPattern("\"name\":\"daily\",\"permits\":3,[^}]*\"plan\":\"free\"}")
                .containsPattern("\"name\":\"daily\",\"permits\":30,[^}]*\"plan\":\"pro\"}")
                .containsPattern("\"name\":\"team\",[^}]*\"key\":\\[\"team\"]}");
    }

    /** By the address alone, an operator sees and frees the counter of requests without a user. */
    @Test
    void lookTellsThatAClientWithAUserHasAnotherCounter() throws Exception {
        for (String limiter : new String[] {"keyed?client=address:192.0.2.1", "keyed?client=header:X-Api-Key:1"}) {
            assertThat(get("/actuator/ratelimits/" + limiter).body())
                    .contains("\"note\":\"the description lacks 'principal': a client that has it has another counter");
        }
        assertThat(get("/actuator/ratelimits/posts?client=user:ann").body())
                .contains("\"note\":\"the description lacks 'client-address': ");
        for (String whole :
                new String[] {"keyed?client=user:ann", "posts?client=address:192.0.2.1", "shared?client=user:ann"}) {
            assertThat(get("/actuator/ratelimits/" + whole).body())
                    .contains("remaining")
                    .doesNotContain("note");
        }
    }

    // ---- changes

    @Test
    void permitsAreChangedUntilTheNextStartAndCountsStay(CapturedOutput output) throws Exception {
        assertThat(get("/changed").values("X-RateLimit-Remaining")).containsExactly("1");
        HttpResponse<String> changed = post("/changed", "{\"permits\":10}");
        assertThat(changed.statusCode()).as(changed.body()).isEqualTo(200);
        assertThat(changed.body())
                .contains("\"permits\":10")
                .startsWith("{\"holds\":\"on this node only, until it restarts\"");
        assertThat(get("/changed").values("X-RateLimit-Remaining")).containsExactly("8");
        assertThat(post("/changed", "{\"permits\":\"1\"}").statusCode()).isEqualTo(200);
        assertThat(get("/changed").status()).isEqualTo(429);
        assertThat(output)
                .contains("RATELIMIT_CHANGED by 'anonymous': {limiter=changed, permits=10}")
                .contains("{limiter=changed, permits=1}");
        assertThat(Application.AUDITED).contains("RATELIMIT_CHANGED {limiter=changed, permits=10}");

        assertThat(post("/orders", "{\"rule\":\"daily\",\"plan\":\"pro\",\"permits\":\"40\"}")
                        .body())
                .contains("\"permits\":40", "\"permits\":3,");
        assertThat(look("client=attribute:plan:pro")).contains("\"name\":\"daily\",\"permits\":40,");
        assertThat(post("/orders", "{\"rule\":\"daily\",\"plan\":\"pro\",\"permits\":\"30\"}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void shadowIsChangedUntilTheNextStart() throws Exception {
        assertThat(get("/opened").status()).isEqualTo(200);
        assertThat(get("/opened").status()).isEqualTo(429);
        assertThat(post("/opened", "{\"shadow\":true}").body()).contains("\"shadow\":true");
        assertThat(get("/opened").status()).isEqualTo(200);
        assertThat(post("/opened", "{\"shadow\":\"false\"}").body()).contains("\"shadow\":false");
        assertThat(get("/opened").status()).isEqualTo(429);
    }

    /** Clients stayed blocked for the rest of the 15 minutes. */
    @Test
    void morePermitsEndTheBlocksOfAllClients() throws Exception {
        assertThat(get("/locked").status()).isEqualTo(200);
        assertThat(get("/locked").values("Retry-After")).containsExactly("900");
        assertThat(post("/locked", "{\"permits\":3}").statusCode()).isEqualTo(200);
        assertThat(get("/locked").values("X-RateLimit-Remaining")).containsExactly("1");
    }

    @Test
    void changeThatCannotBeMadeIsToldWhy() throws Exception {
        for (Map.Entry<String, String> wrong : Map.of(
                        "{}", "nothing to change: give shadow (true or false) or permits",
                        "{\"permits\":\"many\"}", "permits must be a whole number, such as 1000, was 'many'",
                        "{\"permits\":1.5}", "permits must be a whole number, such as 1000, was '1.5'",
                        "{\"shadow\":\"maybe\"}", "shadow must be true or false, was 'maybe'",
                        "{\"permits\":\"0\"}", "permits must be 1..9007199254740991, was 0",
                        "{\"permits\":\"5\",\"rule\":\"hourly\"}", "rule must be one of changed, was hourly",
                        "{\"permits\":\"5\",\"plan\":\"pro\"}", "rule 'changed' has no plans; leave plan out")
                .entrySet()) {
            HttpResponse<String> answer = post("/changed", wrong.getKey());
            assertThat(answer.statusCode()).as(wrong.getKey()).isEqualTo(400);
            assertThat(answer.body()).contains(wrong.getValue());
        }
        assertThat(post("/orders", "{\"permits\":\"5\"}").body()).contains("rule must be one of daily, team, was null");
        assertThat(post("/orders", "{\"permits\":\"5\",\"rule\":\"daily\"}").body())
                .contains("plan must be one of free, pro, was null");
        assertThat(post("/nobody", "{\"permits\":\"5\"}").statusCode()).isEqualTo(404);
    }

    // ---- blocks

    /** Such as an hour: it must not end in a moment, because a unit was left out. */
    @Test
    void numberIsABlocksSeconds() throws Exception {
        for (String hour : new String[] {"3600", "\"3600\"", "\"1h\"", "\"60m\"", "\"PT60M\""}) {
            HttpResponse<String> blocked =
                    post("/posts/block", "{\"client\":\"address:192.0.2.7\",\"duration\":%s}".formatted(hour));
            assertThat(blocked.statusCode()).as(blocked.body()).isEqualTo(200);
            String state =
                    get("/actuator/ratelimits/posts?client=address:192.0.2.7").body();
            Matcher until = Pattern.compile("\"blockedUntil\":\"([^\"]+)\"").matcher(state);
            assertThat(until.find()).as(state).isTrue();
            assertThat(Instant.parse(until.group(1)))
                    .as(hour)
                    .isBetween(Instant.now().plusSeconds(3000), Instant.now().plusSeconds(3600));
        }
    }

    @Test
    void blockThatCannotBeMadeIsToldWhy() throws Exception {
        String allowed = "duration must be seconds, or a number with a unit, such as 90s, 15m, 1h or 7d, ";
        for (Map.Entry<String, String> wrong : Map.of(
                        "{\"client\":\"address:192.0.2.8\"}",
                        allowed + "was null",
                        "{\"client\":\"address:192.0.2.8\",\"duration\":\"1h30m\"}",
                        allowed + "was '1h30m'",
                        "{\"client\":\"address:192.0.2.8\",\"duration\":\"forever\"}",
                        allowed + "was 'forever'",
                        "{\"client\":\"address:192.0.2.8\",\"duration\":\"99999999999999999999\"}",
                        allowed + "was '9",
                        "{\"client\":\"address:192.0.2.8\",\"duration\":0}",
                        "duration must be more than 0 and at most ",
                        "{\"client\":\"address:x\",\"duration\":\"1h\"}",
                        "address must be an IP address, such as ",
                        "{\"client\":\"adress:192.0.2.8\",\"duration\":\"1h\"}",
                        "client must be address:192.0.2.1, user:",
                        "{\"duration\":\"1h\"}",
                        "no client to block: describe every part of the key")
                .entrySet()) {
            HttpResponse<String> answer = post("/posts/block", wrong.getKey());
            assertThat(answer.statusCode()).as(wrong.getKey()).isEqualTo(400);
            assertThat(answer.body()).contains(wrong.getValue());
        }
    }

    /** Nobody is signed in, and the request brings no key: the address is what counts. */
    @Test
    void clientIsBlockedByTheAlternativeThatItIsCountedBy() throws Exception {
        for (String user : new String[] {"192.0.2.1", "192.0.2.2"}) {
            assertThat(post("/keyed/block", "{\"client\":\"address:%s\",\"duration\":\"1h\"}".formatted(user))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(get("/actuator/ratelimits/keyed?client=address:" + user).body())
                    .contains("blockedUntil\":\"2");
        }
        HttpResponse<String> own = post("/keyed/block", "{\"client\":\"address:127.0.0.1\",\"duration\":\"1h\"}");
        assertThat(own.statusCode()).as(own.body()).isEqualTo(200);
        assertThat(get("/keyed").status()).isEqualTo(429);
        assertThat(get("/keyed", "X-Api-Key: 1").status())
                .as("counted by its key")
                .isEqualTo(200);
        assertThat(post("/keyed/block", "{\"duration\":\"1h\"}").statusCode()).isEqualTo(400);
        assertThat(post("/site/block", "{\"client\":\"address:127.0.0.1\",\"duration\":\"1h\"}")
                        .statusCode())
                .as("all of an address who send no tenant are no client")
                .isEqualTo(400);
        assertThat(delete("/keyed/block?client=address:127.0.0.1").status()).isEqualTo(204);
        assertThat(get("/keyed").status()).isEqualTo(200);
    }

    @Test
    void resetIsWrittenDownWithoutTheKey(CapturedOutput output) throws Exception {
        assertThat(get("/reset").status()).isEqualTo(200);
        assertThat(RawHttp.send(
                                application.base(),
                                "DELETE /actuator/ratelimits/reset?client=address:127.0.0.1 HTTP/1.1")
                        .status())
                .isEqualTo(204);
        assertThat(get("/reset").status()).isEqualTo(200);
        assertThat(output.getAll().lines().filter(line -> line.contains("RATELIMIT_RESET")))
                .singleElement()
                .asString()
                .containsPattern("\\{counters=1, limiter=reset}")
                .doesNotContain("127.0.0.1");
        assertThat(Application.AUDITED).anyMatch(event -> event.startsWith("RATELIMIT_RESET"));
    }

    @Test
    void resetTakesTheClientsRoles(CapturedOutput output) throws Exception {
        assertThat(delete("/orders?client=user:ann&client=role:ADMIN").status()).isEqualTo(204);
        assertThat(output).containsPattern("\\{counters=1, limiter=orders}");
    }

    @Test
    void resetOfNobodyIsRejectedUnlessTheCounterIsEverybodys() throws Exception {
        assertThat(delete("/reset?adress=127.0.0.1"))
                .satisfies(answer -> assertThat(answer.status()).isEqualTo(400))
                .satisfies(answer -> assertThat(answer.body())
                        .contains("limiter 'reset': describe the client, for example client=address:192.0.2.1"));
        assertThat(delete("/reset?client=user:ann"))
                .satisfies(answer -> assertThat(answer.status()).isEqualTo(400))
                .satisfies(answer -> assertThat(answer.body())
                        .contains("no client to reset: the description has no part of its key"));
        assertThat(delete("/shared").status()).isEqualTo(204);
    }

    // ---- what it is made of

    private static RawHttp.Answer delete(String path) throws IOException {
        return RawHttp.send(application.base(), "DELETE /actuator/ratelimits" + path + " HTTP/1.1");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        static final List<String> AUDITED = new CopyOnWriteArrayList<>();

        @EventListener
        void audited(AuditApplicationEvent event) {
            AUDITED.add(event.getAuditEvent().getType() + " "
                    + new java.util.TreeMap<>(event.getAuditEvent().getData()));
        }

        @Bean
        KeyResolver<HttpCall> team() {
            KeyResolver<HttpCall> team = call -> {
                String user =
                        call.principal().map(java.security.Principal::getName).orElse("somebody");
                if (user.equals("nobody")) {
                    throw new IllegalStateException("no team");
                }
                return Key.of("the team of " + user);
            };
            return team.afterAuthentication();
        }
    }

    @RestController
    static class Orders {

        @GetMapping("/orders/{id}")
        @RateLimit("orders")
        String order(@PathVariable String id) {
            return id;
        }

        @PostMapping("/orders/new")
        String order() {
            return "new";
        }

        @GetMapping("/counted")
        @RateLimit("counted")
        String counted() {
            return "counted";
        }

        @GetMapping("/locked")
        @RateLimit("locked")
        String locked() {
            return "locked";
        }

        @GetMapping("/keyed")
        @RateLimit("keyed")
        String keyed() {
            return "keyed";
        }

        @GetMapping("/changed")
        @RateLimit("changed")
        String changed() {
            return "changed";
        }

        @GetMapping("/opened")
        @RateLimit("opened")
        String opened() {
            return "opened";
        }

        @GetMapping("/reset")
        @RateLimit("reset")
        String reset() {
            return "reset";
        }
    }
}
