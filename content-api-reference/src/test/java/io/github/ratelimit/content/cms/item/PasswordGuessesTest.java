package io.github.ratelimit.content.cms.item;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.replay.OnDatabase;
import io.github.ratelimit.content.replay.SeededServer;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The password of a guarded item can be guessed thirty times a minute from one address, whichever way. */
@OnDatabase(Database.H2)
class PasswordGuessesTest {
    private static final int PERMITS = 30;
    private static final String RIGHT = "open-sesame";

    private final SiteClient site;
    private final String guarded;
    private final long id;

    PasswordGuessesTest(SeededServer server) {
        site = server.site();
        id = server.content().id("posts.hotel");
        guarded = "/cms/v2/posts/" + id;
    }

    @Test
    void wrongOnesAreRejectedAfterThirtyHoweverTheyCome() {
        String address = "198.51.100.1";

        assertThat(statuses(PERMITS, () -> guess(address, "wrong"))).containsOnly(403);
        Answer rejected = guess(address, "wrong");

        assertThat(rejected.status()).isEqualTo(429);
        assertThat(rejected.code()).isEqualTo("rest_rate_limited");
        assertThat(rejected.number("/data/status")).isEqualTo(429);
        assertThat(rejected.header("Retry-After").map(Integer::valueOf).orElse(0))
                .isBetween(1, 60);
        assertThat(guess(address, RIGHT).status()).as("right or wrong").isEqualTo(429);
        assertThat(listed(address, "wrong").status()).isEqualTo(429);
        assertThat(typed(address, RIGHT).status()).as("on the page").isEqualTo(429);
        assertThat(guess("198.51.100.2", RIGHT).status()).as("from elsewhere").isEqualTo(200);
        assertThat(guess(address, "").status()).as("without a password").isEqualTo(200);
    }

    @Test
    void pageAndInterfaceShareOneBudget() {
        String address = "198.51.100.3";

        assertThat(statuses(PERMITS, () -> typed(address, "wrong"))).containsOnly(403);

        assertThat(typed(address, "wrong").status()).isEqualTo(429);
        assertThat(guess(address, "wrong").status()).isEqualTo(429);
    }

    @Test
    void rightOnesCostNothing() {
        String address = "198.51.100.4";

        assertThat(statuses(2 * PERMITS, () -> guess(address, RIGHT))).containsOnly(200);
        assertThat(statuses(2 * PERMITS, () -> listed(address, RIGHT))).containsOnly(200);
        assertThat(statuses(2 * PERMITS, () -> typed(address, RIGHT))).containsOnly(303);

        assertThat(guess(address, "wrong").status()).isEqualTo(403);
    }

    @Test
    void listCostsOneGuessAndOpensWhatFits() {
        String address = "198.51.100.5";

        assertThat(listed(address, RIGHT).text()).contains("Hotel holds a secret");
        assertThat(statuses(PERMITS, () -> listed(address, "wrong"))).containsOnly(200);
        assertThat(listed(address, "wrong").status()).isEqualTo(429);
    }

    @Test
    void batchesTellNothingByTheMethodsThatTheyAllow() {
        String address = "198.51.100.6";

        // What may be read is among the methods, so that each of these tries a password.
        assertThat(batch(address, 25, RIGHT).text()).contains("\"Allow\":\"GET\"");
        assertThat(batch(address, 25, "wrong").status()).isEqualTo(207);
        assertThat(batch(address, 25, "wrong").status()).isEqualTo(207);

        assertThat(batch(address, 1, RIGHT).text()).doesNotContain("\"Allow\"");
        assertThat(guess(address, RIGHT).status()).isEqualTo(429);
    }

    @Test
    void whoMayChangeTheItemGuessesNothing() {
        assertThat(statuses(
                        2 * PERMITS,
                        () -> site.with("X-Forwarded-For", "198.51.100.7")
                                .as("editor")
                                .get(guarded + "?password=wrong")))
                .containsOnly(403);
    }

    @Test
    void manyAtOnceAreNoMoreThanOneAfterTheOther() {
        List<Answer> answers = AtOnce.run(3 * PERMITS, i -> guess("198.51.100.8", "wrong"));

        assertThat(answers).filteredOn(answer -> answer.status() == 403).hasSize(PERMITS);
        assertThat(answers).filteredOn(answer -> answer.status() == 429).hasSize(2 * PERMITS);
    }

    private Answer guess(String address, String password) {
        return site.with("X-Forwarded-For", address).get(guarded + "?password=" + password);
    }

    private Answer listed(String address, String password) {
        return site.with("X-Forwarded-For", address).get("/cms/v2/posts?per_page=100&password=" + password);
    }

    private Answer typed(String address, String password) {
        return site.callAddress("POST", site.base() + "/?p=" + id)
                .header("X-Forwarded-For", address)
                .form(Query.of("post_password", password))
                .send();
    }

    private Answer batch(String address, int requests, String password) {
        String one = "{\"method\": \"PATCH\", \"path\": \"" + guarded + "?password=" + password + "\"}";
        return site.with("X-Forwarded-For", address)
                .post("/batch/v1", "{\"requests\": [" + String.join(",", Collections.nCopies(requests, one)) + "]}");
    }

    /** Sends a request. */
    private interface Sending {
        Answer send();
    }

    private static List<Integer> statuses(int times, Sending sending) {
        return IntStream.range(0, times)
                .mapToObj(time -> sending.send().status())
                .toList();
    }
}
