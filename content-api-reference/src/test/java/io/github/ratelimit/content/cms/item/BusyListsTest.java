package io.github.ratelimit.content.cms.item;

import static io.github.ratelimit.content.harness.ReferenceServer.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Hold;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.mock.web.MockHttpServletRequest;

/** Strangers cannot stop a large site by lists that take the database long. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BusyListsTest {
    private static final String INTERFACE = "/index.php?rest_route=/cms/v2/posts";

    private final SlowClock clock = new SlowClock();

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2,
            with(clock),
            "--content-api.publish-interval=1h",
            "--content-api.cache.enabled=false",
            "--spring.datasource.url=jdbc:h2:mem:busy-lists");

    private final SiteClient site = new SiteClient(server.base());

    /** A clock by which everything takes long, if it is told so. */
    private static final class SlowClock implements TimeSource {
        private final TestClock clock = new TestClock();
        private volatile boolean isSlow;

        @Override
        public long nanoTime() {
            if (isSlow) {
                clock.advance(Duration.ofMillis(25));
            }
            return clock.nanoTime();
        }

        @Override
        public Instant instant() {
            return clock.instant();
        }
    }

    @Test
    void strangersSearchTwoAtATime() {
        Limiter<HttpCall> searches =
                server.context().getBean(HttpRateLimiter.class).limiters().get("searches");
        MockHttpServletRequest search = new MockHttpServletRequest("GET", "/index.php");
        search.setQueryString("search=x");
        Decision running = searches.tryAcquire(ServletCall.of(search), 2);
        try (Hold two = searches.hold(running)) {
            assertThat(two).isNotNull();
            for (String words : List.of("&search=x", "&%73earch=x", "&search[]=x", "&search=x&search=")) {
                Answer rejected = site.open(INTERFACE + words);
                assertThat(rejected.status()).as(words).isEqualTo(429);
                assertThat(rejected.text("/code")).isEqualTo("rate_limited");
                assertThat(rejected.json().at("/data/status").asInt()).isEqualTo(429);
                assertThat(rejected.header("Retry-After")).contains("1");
            }
            assertThat(site.callAddress("POST", site.base() + INTERFACE + "&_method=GET")
                            .json("{\"search\": \"x\"}")
                            .send()
                            .status())
                    .isEqualTo(429);
            assertThat(site.open("/?rest_route=/cms/v2/media&search=x").status())
                    .isEqualTo(429);

            assertThat(site.open(INTERFACE).status()).isEqualTo(200);
            assertThat(site.open("/").status()).isEqualTo(200);
            assertThat(site.open("/?search=x").status()).isEqualTo(200);
            assertThat(site.as("subscriber").get("/cms/v2/posts?search=x").status())
                    .isEqualTo(200);
        }
        assertThat(site.open(INTERFACE + "&search=x").status()).isEqualTo(200);
        assertThat(site.open(INTERFACE + "&search=x").status())
                .as("the permit came back")
                .isEqualTo(200);
        assertThat(site.open(INTERFACE + "&search=x").status()).isEqualTo(200);
    }

    @Test
    void totalThatTakesLongIsFiveSecondsOldWhateverWasWritten() {
        String list = "/cms/v2/posts?author_exclude=99";
        publish();
        assertThat(total(list)).as("counted in no time").isEqualTo(1);
        publish();
        assertThat(total(list)).isEqualTo(2);

        publish();
        clock.isSlow = true;
        assertThat(total(list)).isEqualTo(3);
        clock.isSlow = false;
        publish();
        assertThat(total(list)).isEqualTo(3);
        assertThat(site.as("admin").get(list).header("X-WP-Total")).contains("4");
        clock.clock.advance(Duration.ofSeconds(6));
        assertThat(total(list)).isEqualTo(4);
    }

    private int total(String list) {
        return Integer.parseInt(site.get(list).header("X-WP-Total").orElseThrow());
    }

    private void publish() {
        site.as("admin").post("/cms/v2/posts", "{\"title\": \"Counted\", \"status\": \"publish\"}");
    }
}
