package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.yaml.snakeyaml.Yaml;

/**
 * The seven limiters over real HTTP: exactly the limit is admitted in a window, to 64 clients at once. Rule: each limiter's
 * figures and the form of rejections are those of the widget service's documentation.
 */
final class LimitsTest extends OnLimitedServer {

    private static final int OVER = 150;
    private static final int AGENTS = 40;

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "INIT")
    void limiterAdmitsExactlyItsLimitInAWindow(Limited limiter) {
        String credentials = bearer(limiter == Limited.CMS_PLUGIN ? workspaceToken(0) : newVisitor());
        limited(
                (connection, number) ->
                        connection.send(limiter.line(), number % 3 == 0 ? "{" : limiter.body(), credentials),
                limiter.permits(),
                limiter == Limited.SESSION ? "too many widget requests for this conversation" : "too many requests");
    }

    @Test
    void widgetInitPerAddressAndAgent() {
        limited(init("User-Agent: one"), 1000, "too many requests");

        assertThat(Crowd.number(once(init("User-Agent: two")), "X-RateLimit-Remaining"))
                .as("of another agent")
                .isEqualTo(999);
    }

    /** Decides about so many beginnings of each of the agents {@code agent-0}, {@code agent-1} …, as if all had been sent. */
    private void beginSessions(String address, int agents, int each) {
        Limiters<HttpCall> limiters =
                server.context().getBean(HttpRateLimiter.class).limiters();
        for (int agent = 0; agent < agents; agent++) {
            var request = new MockHttpServletRequest("POST", "/api/v1/widget/init");
            request.setRemoteAddr(address);
            request.addHeader("User-Agent", "agent-" + agent);
            if (!limiters.of(List.of("widget-init"))
                    .tryAcquire(ServletCall.of(request), each)
                    .allowed()) {
                throw new IllegalStateException("no room for " + each + " beginnings of agent " + agent);
            }
        }
    }

    /** {@code -Dfull} sends each of the 30,000 requests; else most of them are only decided. */
    @Test
    void widgetInitPerAddressAcrossAgents() {
        long began = clock.instant().getEpochSecond();
        int earlier = Boolean.getBoolean("full") ? 0 : 28_000;
        beginSessions("127.0.0.1", AGENTS, earlier / AGENTS);
        Crowd.Outcome outcome = Crowd.send(
                server.base(),
                30_000 - earlier + OVER,
                (connection, number) ->
                        init("User-Agent: agent-" + number % AGENTS).send(connection, number));

        assertThat(outcome.admitted())
                .as(outcome.statuses())
                .hasSize(30_000 - earlier)
                .allSatisfy(answer -> {
                    assertThat(answer.status()).isIn(200, 422);
                    assertThat(answer.header("Retry-After")).isEmpty();
                });
        assertThat(outcome.rejected()).hasSize(OVER).allSatisfy(answer -> {
            assertThat(Crowd.number(answer, "X-RateLimit-Limit")).isEqualTo(30_000);
            assertThat(Crowd.number(answer, "X-RateLimit-Remaining")).isZero();
            assertThat(Crowd.number(answer, "X-RateLimit-Reset")).isBetween(began + 3599, began + 3601);
            assertThat(Crowd.number(answer, "Retry-After")).isBetween(3599L, 3600L);
        });

        clock.advance(Duration.ofMinutes(1));
        Answer stillRejected = once(init("User-Agent: agent-0"));
        assertThat(stillRejected.status()).isEqualTo(429);

        clock.advance(Duration.ofSeconds(Crowd.number(stillRejected, "Retry-After")));
        Answer restored = once(init("User-Agent: agent-0"));
        assertThat(restored.status()).isEqualTo(200);
        assertThat(Crowd.number(restored, "X-RateLimit-Limit"))
                .as("the limit that is nearer to its end is the one that is shown")
                .isEqualTo(1000);
    }

    @Test
    void oneVisitorsBudgetIsNobodyElses() {
        String spent = bearer(newVisitor());
        Crowd.send(server.base(), 301, (connection, number) -> get(connection, "conversation", spent));

        Answer other = once((connection, number) -> get(connection, "conversation", bearer(newVisitor())));
        assertThat(other.status()).isEqualTo(200);
        assertThat(Crowd.number(other, "X-RateLimit-Remaining")).isEqualTo(299);
        Answer lead = once((connection, number) ->
                connection.send("POST " + WIDGET + "leads HTTP/1.1", "{\"email\":\"a@example.org\"}", spent));
        assertThat(Crowd.number(lead, "X-RateLimit-Remaining"))
                .as("of another limiter")
                .isEqualTo(29);
        Answer plugin = once((connection, number) ->
                connection.send("GET /v1/cms/documents HTTP/1.1", "", bearer(workspaceToken(1))));
        assertThat(Crowd.number(plugin, "X-RateLimit-Remaining")).isEqualTo(59);
    }

    @Test
    void tokensOfOneSessionShareItsBudget() throws ParseException {
        String first = newVisitor();
        JWTClaimsSet claims = SignedJWT.parse(first).getJWTClaimsSet();
        Set<Long> remaining = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            var later = new JWTClaimsSet.Builder(claims)
                    .expirationTime(Date.from(clock.instant().plusSeconds(60 + i)));
            Answer answer =
                    once((connection, number) -> get(connection, "conversation", bearer(signed(later.build()))));
            assertThat(answer.status()).isEqualTo(200);
            remaining.add(Crowd.number(answer, "X-RateLimit-Remaining"));
        }
        assertThat(remaining).hasSize(20).contains(299L, 280L);
    }

    @Test
    void whoHasNoTokenIsCountedByAddressAndRejectedAfterThat() {
        String visitor = bearer(newVisitor());
        Crowd.Outcome outcome = Crowd.send(
                        server.base(),
                        300 + OVER,
                        (connection, number) -> number % 2 == 0
                                ? get(connection, "conversation", "Accept: */*")
                                : get(connection, "conversation", bearer("forged." + number)))
                .sharedExactly(300);
        assertThat(outcome.admitted())
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(401));
        assertThat(once((connection, number) -> get(connection, "conversation", visitor))
                        .status())
                .isEqualTo(200);

        Crowd.Outcome plugins = Crowd.send(
                        server.base(),
                        60 + OVER,
                        (connection, number) ->
                                connection.send("GET /v1/cms/documents HTTP/1.1", "", bearer("forged" + number)))
                .sharedExactly(60);
        assertThat(plugins.admitted())
                .allSatisfy(answer -> assertThat(answer.status()).isEqualTo(401));
    }

    @Test
    void aPreflightCostsNothingAndRunsNothing() {
        for (String path : List.of("init", "messages", "typing", "satisfaction", "coupon/apply", "leads")) {
            Answer preflight = once((connection, number) -> connection.send(
                    "OPTIONS " + WIDGET + path + " HTTP/1.1",
                    "",
                    "Origin: https://shop.example",
                    "Access-Control-Request-Method: POST",
                    "Access-Control-Request-Headers: authorization,content-type"));
            assertThat(preflight.status()).isEqualTo(204);
            assertThat(preflight.header("Access-Control-Allow-Origin")).contains("https://shop.example");
            assertThat(preflight.header("Access-Control-Allow-Methods")).contains("GET, POST");
            assertThat(preflight.header("Access-Control-Allow-Headers")).contains("Authorization, Content-Type");
            assertThat(preflight.header("Vary").orElse("")).contains("Origin");
            assertThat(preflight.header("X-RateLimit-Limit")).isEmpty();
        }
        Answer rejected = once((connection, number) -> connection.send(
                "OPTIONS " + WIDGET + "typing HTTP/1.1",
                "",
                "Origin: https://evil.example",
                "Access-Control-Request-Method: POST"));
        assertThat(rejected.status()).isEqualTo(403);
        assertThat(rejected.header("Access-Control-Allow-Origin")).isEmpty();

        Answer first = once((connection, number) ->
                connection.send("POST " + WIDGET + "typing HTTP/1.1", "{}", "Origin: https://shop.example"));
        assertThat(Crowd.number(first, "X-RateLimit-Remaining")).isEqualTo(599);
    }

    @Test
    void aConfiguredOriginMayReadEveryAnswer() {
        String origin = "Origin: https://shop.example";
        Crowd.Outcome outcome = Crowd.send(
                server.base(),
                100,
                (connection, number) ->
                        connection.send("POST " + WIDGET + "satisfaction HTTP/1.1", "{\"rating\":3}", origin));
        assertThat(outcome.rejected()).hasSize(40);
        assertThat(outcome.answers()).allSatisfy(answer -> {
            assertThat(answer.header("Access-Control-Allow-Origin")).contains("https://shop.example");
            assertThat(answer.header("Access-Control-Expose-Headers").orElse("").toLowerCase(Locale.ROOT))
                    .contains("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset", "retry-after");
            assertThat(answer.header("Vary")).contains("Origin");
            assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
        });
        Answer foreign = once((connection, number) ->
                connection.send("POST " + WIDGET + "typing HTTP/1.1", "{}", "Origin: https://evil.example"));
        assertThat(foreign.header("Access-Control-Allow-Origin")).isEmpty();
        assertThat(foreign.header("Vary")).contains("Origin");
    }

    /** Returns all paths of the widget and bulk-sync surfaces, with their methods. */
    private Map<String, List<String>> mappings() {
        Map<String, List<String>> mappings = new TreeMap<>();
        server.context()
                .getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .forEach(mapping -> mapping.getPatternValues().stream()
                        .filter(path -> path.startsWith("/v1/cms") || path.startsWith("/api/v1/widget"))
                        .forEach(path -> mappings.computeIfAbsent(path, key -> new ArrayList<>())
                                .addAll(methods(mapping))));
        return mappings;
    }

    private static List<String> methods(RequestMappingInfo mapping) {
        Set<RequestMethod> methods = mapping.getMethodsCondition().getMethods();
        return methods.isEmpty()
                ? List.of("GET", "POST", "PUT", "PATCH", "DELETE")
                : methods.stream().map(RequestMethod::name).toList();
    }

    /** Whatever is added to the surfaces is limited, or this fails. */
    @Test
    void noMappingOfTheSurfacesIsUnlimited() {
        clock.advance(Duration.ofHours(1));
        Set<String> tried = new TreeSet<>();
        mappings()
                .forEach((path, methods) -> methods.forEach(method -> {
                    String line =
                            method + " " + path.replaceAll("\\{[^}]*}", "x").replace("**", "x") + " HTTP/1.1";
                    Answer answer = RawConnection.once(server.base(), line, "");
                    assertThat(answer.header("X-RateLimit-Limit"))
                            .as("%s: %s", line, answer.status())
                            .isPresent();
                    if (path.startsWith("/v1/cms")) {
                        assertThat(answer.header("X-RateLimit-Limit")).as(line).contains("60");
                        assertThat(answer.status()).as(line).isEqualTo(401);
                    }
                    tried.add(line);
                }));
        assertThat(tried)
                .contains("POST /v1/cms/sync HTTP/1.1", "POST /api/v1/widget/messages/x/feedback HTTP/1.1")
                .hasSizeGreaterThan(25);
    }

    /** The description and the controllers name the same operations, and the same tokens. */
    @Test
    void everyMappingOfTheSurfacesIsDescribed() {
        Answer description = RawConnection.once(server.base(), "GET /openapi.yaml HTTP/1.1", "");
        assertThat(description.status()).isEqualTo(200);
        Map<String, Map<String, Map<String, Object>>> paths = Objects.requireNonNull(new Yaml()
                .<Map<String, Map<String, Map<String, Map<String, Object>>>>>load(description.text())
                .get("paths"));

        Map<String, Set<String>> described = new TreeMap<>();
        paths.forEach((path, operations) -> operations.forEach((method, operation) -> {
            described.computeIfAbsent(path, key -> new TreeSet<>()).add(method.toUpperCase(Locale.ROOT));
            String line = method.toUpperCase(Locale.ROOT) + " " + path.replace("{id}", "x") + " HTTP/1.1";
            String secured = String.valueOf(operation.get("security"));
            int status = RawConnection.once(server.base(), line, "").status();
            // An optional token is described by an alternative without one.
            assertThat(status == 401).as(line).isEqualTo(secured.contains("=[]") && !secured.contains("{}"));
            assertThat(secured.contains("workspace")).as(line).isEqualTo(path.startsWith("/v1/cms"));
        }));
        Map<String, Set<String>> mappings = new TreeMap<>();
        mappings().forEach((path, methods) -> mappings.put(path, new TreeSet<>(methods)));
        mappings.keySet().removeAll(Set.of("/v1/cms", "/v1/cms/**")); // these answer 404
        assertThat(described).isEqualTo(mappings);
    }

    private static final Map<Integer, String> CODES = Map.of(
            401,
            "unauthorized",
            404,
            "not_found",
            405,
            "method_not_allowed",
            406,
            "not_acceptable",
            410,
            "coupon_expired",
            415,
            "unsupported_media_type",
            422,
            "invalid_request",
            500,
            "internal_error");

    /**
     * Each answer has the fields of its limiter, once, and a permit less; each rejection has the form of its surface. {@code answers.txt} says
     * what is sent one after another below each limit: the status of the answer, the request, its body and its fields.
     */
    @Test
    void everyAnswerCarriesItsFieldsAndCountsOnce() throws IOException {
        String requests = new ClassPathResource("widget/answers.txt").getContentAsString(StandardCharsets.UTF_8);
        for (String group : requests.split("\n\n", -1)) {
            clock.advance(Duration.ofHours(1));
            String visitor = bearer(newVisitor());
            clock.advance(Duration.ofHours(1));
            String reset = Long.toString(
                    clock.instant().plusSeconds(60).plusNanos(999_999_999).getEpochSecond());
            List<String> rows = group.lines().toList();
            String limit = rows.get(0).replace("limit ", "");
            for (int row = 1; row < rows.size(); row++) {
                String[] sent = rows.get(row).split(" *\\| *", -1);
                String[] request = sent[0].split(" ", -1);
                String path = request[2].startsWith("/") ? request[2] : WIDGET + request[2];
                String[] fields = Arrays.stream(sent)
                        .skip(2)
                        .map(field -> field.replace("VISITOR", visitor).replace("SITE", bearer(workspaceToken(0))))
                        .toArray(String[]::new);

                Answer answer = RawConnection.once(
                        server.base(), request[1] + " " + path + " HTTP/1.1", sent.length > 1 ? sent[1] : "", fields);

                String what = rows.get(row) + ": " + answer.text();
                assertThat(answer.status()).as(what).isEqualTo(Integer.parseInt(request[0]));
                assertThat(answer.headers().allValues("X-RateLimit-Limit"))
                        .as(what)
                        .containsExactly(limit);
                assertThat(answer.headers().allValues("X-RateLimit-Remaining"))
                        .as(what)
                        .containsExactly(Integer.toString(Integer.parseInt(limit) - row));
                assertThat(answer.headers().allValues("X-RateLimit-Reset"))
                        .as(what)
                        .containsExactly(reset);
                assertThat(answer.header("Retry-After")).as(what).isEmpty();
                if (answer.status() >= 400) {
                    assertRejection(what, request[1], answer);
                }
            }
        }
    }

    private static void assertRejection(String what, String method, Answer answer) {
        assertThat(answer.mediaType()).as(what).isEqualTo("application/json");
        assertThat(answer.text("/error/code")).as(what).isEqualTo(CODES.get(answer.status()));
        assertThat(answer.text("/error/message")).as(what).isNotEmpty().doesNotContain("nobody", "Exception");
        if (answer.status() == 401) {
            assertThat(answer.header("WWW-Authenticate")).as(what).contains("Bearer");
            assertThat(answer.text("/error/message")).as(what).contains("header Authorization: Bearer <token>");
        }
        assertThat(answer.header("Allow").orElse("")).as(what).doesNotContain(method);
    }

    /** Spends a window, waits as long as it was told to, and spends the next one. */
    private void limited(Crowd.Call call, int limit, String word) {
        long now = clock.instant().getEpochSecond();
        Crowd.Outcome outcome = Crowd.send(server.base(), limit + OVER, call)
                .sharedExactly(limit)
                .rejectedAsDocumented(now, word);

        long wait = Crowd.number(outcome.rejected().get(0), "Retry-After");
        clock.advance(Duration.ofSeconds(wait).minusMillis(1001));
        assertThat(once(call).status()).as("a second too early").isEqualTo(429);
        clock.advance(Duration.ofMillis(1001));
        Crowd.send(server.base(), limit + OVER, call).sharedExactly(limit);
    }

    private Answer once(Crowd.Call call) {
        try (var connection = new RawConnection(server.base())) {
            return call.send(connection, 0);
        }
    }

    private static Crowd.Call init(String agent) {
        // Most do not fit: they count the same, and store nothing.
        return (connection, number) ->
                connection.send("POST " + WIDGET + "init HTTP/1.1", number % 16 == 0 ? "{}" : "{\"visitor\":1}", agent);
    }

    private static Answer get(RawConnection connection, String path, String field) {
        return connection.send("GET " + WIDGET + path + " HTTP/1.1", "", field);
    }
}
