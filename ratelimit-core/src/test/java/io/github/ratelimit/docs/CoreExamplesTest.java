package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitStatus;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.Rule;
import io.github.ratelimit.Store;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.test.TestClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The examples of docs/quick-start.md, docs/concepts.md and of the types' own documentation. */
class CoreExamplesTest {

    record Mail(String sender, int recipients) {}

    @Test
    void decisionWithoutBlocking() {
        // region async
        Limiter<String> search = Limiter.of("search", Limit.of(10, Duration.ofSeconds(1)), Key::of);

        CompletionStage<String> answer = search.tryAcquireAsync("ann", 1)
                .thenApply(decision -> decision.allowed()
                        ? "found"
                        : "come back in " + decision.retryAfter().orElseThrow());
        // endregion
        assertThat(answer.toCompletableFuture().join()).isEqualTo("found");
    }

    @Test
    void firstRejection() {
        // region first-rejection
        Limiter<Mail> limiter =
                Limiter.of("mail", Limit.of("per-minute", 3, Duration.ofMinutes(1)), mail -> Key.of(mail.sender()));

        Mail mail = new Mail("ann@example.org", 1);
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.tryAcquire(mail).allowed()).isTrue();
        }
        Decision fourth = limiter.tryAcquire(mail);
        assertThat(fourth.allowed()).isFalse();
        assertThat(fourth.retryAfter()).isPresent(); // the rest of the minute
        // endregion
    }

    @Test
    void severalLimitsAsOne() {
        // region several-limits
        LimiterSpec<HttpCall> spec = LimiterSpec.of(
                "api",
                Rule.of(
                        Limit.of("burst", 1_000, Duration.ofMinutes(1)),
                        HttpKeys.clientAddress().and(HttpKeys.userAgent())),
                Rule.of(Limit.of("hourly", 30_000, Duration.ofHours(1)), HttpKeys.clientAddress()));
        // endregion
        assertThat(spec.rules())
                .flatExtracting(rule -> rule.limits())
                .containsExactly(
                        Limit.of("burst", 1_000, Duration.ofMinutes(1)),
                        Limit.of("hourly", 30_000, Duration.ofHours(1)));
        assertThat(spec.onStoreFailure()).isEqualTo(OnStoreFailure.LOCAL);
        assertThat(spec.phase()).isEqualTo(Phase.BEFORE_AUTHENTICATION);
        assertThat(spec.shadow()).isFalse();
    }

    @Test
    @SuppressWarnings("try") // the hold is closed, and not used
    void howManyAtATime() {
        // region concurrent
        Limiter<String> exports = Limiter.of("exports", Limit.concurrent("tenant", 2, Duration.ofMinutes(1)), Key::of);

        Decision ran = exports.run("acme", () -> write("acme.csv")); // renews the lease until the task ends
        assertThat(ran.allowed()).isTrue();

        Decision decision = exports.tryAcquire("acme"); // for tasks that throw checked exceptions or return a value
        if (decision.allowed()) {
            try (Hold hold = exports.hold(decision)) {
                write("acme.csv");
            }
        }
        // endregion
        assertThat(exports.look("acme").mostRestrictive().orElseThrow().remaining())
                .isEqualTo(2);
    }

    private static void write(String file) {
        assertThat(file).endsWith(".csv");
    }

    @Test
    void costsAndLooks() {
        TestClock clock = new TestClock();
        // region costs
        LimiterSpec<Mail> spec =
                LimiterSpec.of("mail", Limit.of("recipients", 100, Duration.ofHours(1)), mail -> Key.of(mail.sender()));
        Limiter<Mail> limiter = Limiter.of(spec, InProcessStore.create(clock));
        Mail newsletter = new Mail("ann@example.org", 80);

        assertThat(limiter.tryAcquire(newsletter, newsletter.recipients()).allowed())
                .isTrue();

        LimitStatus look = limiter.look(newsletter).statuses().get(0); // takes nothing
        assertThat(look.remaining()).isEqualTo(20);

        Decision later = limiter.tryAcquire(newsletter, 80); // fits again when the hour is over
        assertThat(later.retryAfter()).contains(Duration.ofHours(1));

        Decision never = limiter.tryAcquire(newsletter, 101); // fits no window
        assertThat(never.allowed()).isFalse();
        assertThat(never.neverFits()).isTrue();
        // endregion
    }

    @Test
    void timeByHand() {
        // region test-clock
        TestClock clock = new TestClock();
        LimiterSpec<String> spec = LimiterSpec.of("login", Limit.of(1, Duration.ofMinutes(1)), Key::of);
        Limiter<String> limiter = Limiter.of(spec, InProcessStore.create(clock));
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        assertThat(limiter.tryAcquire("ann").allowed()).isFalse();

        clock.advance(Duration.ofMinutes(1));
        assertThat(limiter.tryAcquire("ann").allowed()).isTrue();
        // endregion
    }

    // ---- what the types' own documentation shows

    @Test
    void limit() {
        // region limit
        Limit second = Limit.of(10, Duration.ofSeconds(1)); // the only one of its limiter
        Limit hourly = Limit.of("hourly", 30_000, Duration.ofHours(1));
        // endregion
        assertThat(second).hasToString("10 per 1s (default)");
        assertThat(hourly).hasToString("30000 per 1h (hourly)");
    }

    @Test
    void key() {
        // region key
        Key address = Key.of("203.0.113.7");
        Key addressAndAgent = address.and(Key.of("agent/1"));
        Key addressAlone = address.and(Key.absent()); // no agent was sent: a key of its own
        // endregion
        assertThat(addressAndAgent).isNotEqualTo(addressAlone).isNotEqualTo(address);
        assertThat(addressAlone).isNotEqualTo(address);
    }

    @Test
    void keyResolver() {
        // region key-resolver
        KeyResolver<Mail> sender = mail -> mail.sender().isEmpty() ? Key.absent() : Key.of(mail.sender());
        KeyResolver<Mail> size = mail -> Key.of(mail.recipients() > 100 ? "large" : "small");
        KeyResolver<Mail> senderAndSize = sender.and(size);
        // endregion
        assertThat(senderAndSize.resolve(new Mail("ann", 500)))
                .isEqualTo(Key.of("ann").and(Key.of("large")));
        assertThat(senderAndSize.resolve(new Mail("", 5)))
                .isEqualTo(Key.absent().and(Key.of("small")));
    }

    @Test
    void rule() {
        Map<String, String> plans = Map.of("ann", "pro");
        // region rule
        Rule<Mail> rule = Rule.<Mail>byPlan(
                        "mails",
                        Duration.ofHours(1),
                        Map.of("free", 100L, "pro", 5_000L),
                        mail -> Key.of(plans.getOrDefault(mail.sender(), "free")),
                        mail -> Key.of(mail.sender()))
                .unless(mail -> mail.sender().equals("postmaster"));
        // endregion
        assertThat(rule.limit(new Mail("ann", 1))).map(Limit::permits).contains(5_000L);
        assertThat(rule.limit(new Mail("bob", 1))).map(Limit::permits).contains(100L);
        assertThat(rule.limit(new Mail("postmaster", 1))).isEmpty();
    }

    @Test
    void limiterSpec() {
        // region limiter-spec
        KeyResolver<Mail> sender = mail -> Key.of(mail.sender());
        LimiterSpec<Mail> spec = LimiterSpec.of(
                        "mail",
                        Rule.of(Limit.of("per-second", 2, Duration.ofSeconds(1)), sender),
                        Rule.of(Limit.of("per-day", 1_000, Duration.ofDays(1)), sender))
                .withOnStoreFailure(OnStoreFailure.ALLOW);
        // endregion
        Limiter<Mail> limiter = Limiter.of(spec, InProcessStore.create(new TestClock()));
        Mail mail = new Mail("ann", 1);
        assertThat(limiter.tryAcquire(mail, 2).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(0L, 998L);
        assertThat(limiter.tryAcquire(mail).allowed()).isFalse();
    }

    @Test
    void limiter() throws InterruptedException {
        // region limiter
        Limiter<String> search = Limiter.of("search", Limit.of(10, Duration.ofSeconds(1)), Key::of);

        if (search.tryAcquire("ann").allowed()) {
            // search for her
        }
        Decision patient = search.acquire("ann", 1, Duration.ofSeconds(2)); // waits if necessary
        // endregion
        assertThat(patient.allowed()).isTrue();
        assertThat(patient.statuses().get(0).remaining()).isEqualTo(8);
    }

    @Test
    void limiters() {
        // region limiters
        Limiters<String> limiters = Limiters.<String>builder(InProcessStore.create())
                .add(LimiterSpec.of("api", Limit.of(1_000, Duration.ofMinutes(1)), Key::of))
                .add(LimiterSpec.of("search", Limit.of(1, Duration.ofMinutes(1)), Key::of))
                .build();

        Limiter<String> both = limiters.of("api", "search");
        Decision first = both.tryAcquire("ann"); // from both, or from none
        Decision second = both.tryAcquire("ann");
        // endregion
        assertThat(first.allowed()).isTrue();
        assertThat(second.allowed()).isFalse();
        assertThat(second.statuses("api").get(0).remaining()).isEqualTo(999);
    }

    @Test
    void decision() {
        Limiter<String> limiter = Limiter.of(
                LimiterSpec.of("mail", Limit.of(3, Duration.ofMinutes(1)), Key::of),
                InProcessStore.create(new TestClock()));
        StringBuilder answer = new StringBuilder();
        limiter.tryAcquire("ann", 2);
        // region decision
        Decision decision = limiter.tryAcquire("ann", 2);
        if (!decision.allowed()) {
            answer.append(
                    decision.retryAfter().map(wait -> "come back in " + wait).orElse("split it"));
        }
        for (LimitStatus status : decision.statuses()) {
            answer.append("; ").append(status.limit().name()).append(": ").append(status.remaining());
        }
        // endregion
        assertThat(answer).hasToString("come back in PT1M; default: 1");
    }

    @Test
    void refund() {
        Limiter<String> limiter = Limiter.of(
                LimiterSpec.of("mail", Limit.of(3, Duration.ofMinutes(1)), Key::of),
                InProcessStore.create(new TestClock()));
        // region refund
        Decision decision = limiter.tryAcquire("ann", 2);
        limiter.refund(decision); // the mail could not be sent after all
        limiter.refund(decision); // gives nothing back again
        // endregion
        assertThat(limiter.tryAcquire("ann", 0).statuses().get(0).remaining()).isEqualTo(3);
    }

    @Test
    void inProcessStore() {
        // region in-process-store
        InProcessStore store = InProcessStore.builder()
                .maximumCounters(100_000) // 3.2 MB
                .whenFull(InProcessStore.WhenFull.EVICT)
                .build();
        // endregion
        assertThat(store.maximumCounters()).isBetween(100_000, 101_000);
        assertThat(store.counters()).isZero();
        assertThat(store.evicted()).isZero();
    }

    @Test
    void store() {
        // region store
        Store store = InProcessStore.create();
        Charge own = new Charge("mail", Limit.of("own", 5, Duration.ofMinutes(1)), Key.of("ann"), 3);
        Charge all = new Charge("mail", Limit.of("all", 9, Duration.ofHours(1)), Key.absent(), 3);

        Decision decision = store.tryAcquire(List.of(own, all)); // from both, or from none
        store.refundAsync(decision);
        // endregion
        assertThat(decision.allowed()).isTrue();
        assertThat(store.tryAcquire(List.of(own.withCost(0), all.withCost(0))).statuses())
                .extracting(LimitStatus::remaining)
                .containsExactly(5L, 9L);
    }

    @Test
    void serverWithoutServlets() throws Exception {
        TestClock clock = new TestClock();
        // region jdk-server
        Limiters<HttpCall> limiters = Limiters.<HttpCall>builder(InProcessStore.create(clock))
                .add(LimiterSpec.of("api", Limit.of(1, Duration.ofMinutes(1)), HttpKeys.clientAddress()))
                .build();
        HttpRateLimiter limiter = new HttpRateLimiter(limiters, FieldStyle.X_RATELIMIT);
        RejectionBody body = RejectionBody.json();

        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            HttpCall call = HttpCall.of(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getRawPath(),
                    exchange.getRemoteAddress().getAddress().getHostAddress(),
                    name -> exchange.getRequestHeaders().getOrDefault(name, List.of()));
            int status = 200;
            String text = "hello";
            if (!call.isPreflight()) {
                HttpVerdict verdict = limiter.check(List.of("api"), call);
                verdict.writeFields(exchange.getResponseHeaders()::set);
                if (!verdict.allowed()) {
                    status = verdict.status();
                    text = body.of(verdict, call).text();
                }
            }
            try {
                exchange.sendResponseHeaders(status, 0);
                exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
            } finally {
                exchange.close();
                call.decisions().ended(status); // permits that are not kept come back
            }
        });
        // endregion
        server.start();
        try {
            URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/a%20b?c=d");
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest get = HttpRequest.newBuilder(uri).build();
            HttpRequest options = HttpRequest.newBuilder(uri)
                    .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                    .header("Access-Control-Request-Method", "GET")
                    .build();
            HttpResponse<String> first = client.send(get, HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> second = client.send(get, HttpResponse.BodyHandlers.ofString());
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.headers().firstValue("X-RateLimit-Remaining")).contains("0");
            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(second.headers().firstValue("Retry-After")).contains("60");
            assertThat(second.body()).contains("rate_limited");
            assertThat(client.send(options, HttpResponse.BodyHandlers.ofString())
                            .statusCode())
                    .as("without an Origin it is no preflight request")
                    .isEqualTo(429);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void callOfAnyServer() {
        HttpCall call = HttpCall.of("OPTIONS", "/a%20b?c=d", "203.0.113.7", name -> List.of("x"));
        assertThat(call.path()).isEqualTo("/a b");
        assertThat(call.origin().target()).isEqualTo("/a%20b");
        assertThat(call.isPreflight()).isTrue();
        assertThat(HttpKeys.clientAddress().resolve(call)).isEqualTo(Key.of("203.0.113.7"));
        assertThat(call.decisions()).isSameAs(call.decisions());
    }
}
