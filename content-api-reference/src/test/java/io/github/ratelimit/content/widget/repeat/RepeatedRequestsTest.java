package io.github.ratelimit.content.widget.repeat;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.shared.settings.ServerKey;
import io.github.ratelimit.content.shared.storage.Pieces;
import io.github.ratelimit.content.shared.storage.Unbounded;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests.Bounds;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests.Kept;
import io.github.ratelimit.test.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** How long answers are kept, how many, and for whom. */
final class RepeatedRequestsTest {

    private static final String KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    private static final Kept ANSWER = new Kept("f".repeat(64), 201, "application/json", bytes("{\"a\":1}"), false);

    private static final RepeatedRequests.Room ROOM = bytes -> true;

    private final TestClock clock = new TestClock();
    private DriverManagerDataSource database;
    private RepeatedRequests requests;

    @BeforeEach
    void start() {
        database = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        Flyway.configure().dataSource(database).load().migrate();
        requests = requests(KEY, new Bounds(20, 50, 1));
    }

    @AfterEach
    void stop() {
        new JdbcTemplate(database).execute("shutdown");
    }

    private RepeatedRequests requests(String key, Bounds bounds) {
        return new RepeatedRequests(clock, JdbcClient.create(database), ServerKey.of(key), Unbounded.WORK, bounds);
    }

    @Test
    void anAnswerIsKeptForADay() {
        RepeatedRequests.Id id = requests.id("visitor", "key");
        requests.keep(begun(id), ANSWER, ROOM);

        clock.advance(Duration.ofHours(24).minusMillis(1));
        Kept kept = requests.begin(id).kept();
        assertThat(kept).isNotNull();
        assertThat(kept.status()).isEqualTo(201);
        assertThat(kept.contentType()).isEqualTo("application/json");
        assertThat(kept.body()).isEqualTo(ANSWER.body());
        assertThat(kept.fingerprint()).isEqualTo(ANSWER.fingerprint());

        clock.advance(Duration.ofMillis(1));
        assertThat(requests.begin(id).turn()).isNotNull();
    }

    @Test
    void aTwinWaitsUntilTheFirstIsDoneOrWasAbandoned() {
        RepeatedRequests.Id id = requests.id("visitor", "key");
        requests.begin(id);
        clock.advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(requests.begin(id).turn()).isNull();
        assertThat(requests.begin(id).kept()).isNull();

        clock.advance(Duration.ofMillis(1));
        requests.release(begun(id)); // as after a server was killed
        assertThat(requests.begin(id).turn()).as("after it was refused").isNotNull();
    }

    /** Its key was held for as long as any request should take: it is another's by then. */
    @Test
    void whoIsLateNeitherKeepsNorReleasesForTheNext() {
        RepeatedRequests.Id id = requests.id("visitor", "key");
        RepeatedRequests.Turn late = begun(id);
        clock.advance(Duration.ofMinutes(5));
        RepeatedRequests.Turn next = begun(id);

        requests.release(late);
        assertThat(requests.begin(id).turn()).as("the next one is being served").isNull();
        requests.keep(late, ANSWER, ROOM);
        assertThat(requests.begin(id).kept()).as("still").isNull();
        requests.keep(next, ANSWER, ROOM);
        assertThat(requests.begin(id).kept()).isNotNull();
    }

    @Test
    void neitherACallerNorAllTogetherFillTheStorage() {
        for (int i = 0; i < 200; i++) {
            requests.keep(begun("one", i), ANSWER, ROOM);
        }
        assertThat(rows()).isLessThanOrEqualTo(21);
        assertThat(requests.begin(requests.id("one", "199")).kept())
                .as("the newest")
                .isNotNull();
        assertThat(requests.begin(requests.id("one", "0")).turn())
                .as("the oldest")
                .isNotNull();

        for (int i = 0; i < 200; i++) {
            requests.keep(begun("caller " + i, i), ANSWER, ROOM);
        }
        assertThat(rows()).isLessThanOrEqualTo(51);

        clock.advance(Duration.ofHours(24));
        for (int i = 0; i < 10; i++) {
            begun("late", i);
        }
        assertThat(rows()).as("what is over goes, whosever it is").isLessThanOrEqualTo(10);
    }

    @Test
    void noOrderOfRequestsGivesACallerMoreRoom() {
        requests = requests(KEY, new Bounds(20, 1_000, 2));
        for (int i = 0; i < 200; i++) {
            requests.keep(begun("one", i), ANSWER, ROOM);
            begun("another", i);
        }

        assertThat(rows()).isLessThan(120);
    }

    /** They are whatever all left a day ago, and other writers wait for each look. */
    @Test
    void oneRequestForgetsOnlySoMuchAndTheNextOnesTheRest() {
        new JdbcTemplate(database)
                .update(
                        "insert into repeated_request (caller, request_key, started_at)"
                                + " select x, x, dateadd(millisecond, x, cast(? as timestamp with time zone))"
                                + " from system_range(1, ?)",
                        clock.instant().atOffset(ZoneOffset.UTC),
                        2 * Pieces.ROWS + 1);
        requests = requests(KEY, new Bounds(20, 5_000, 1));
        clock.advance(Duration.ofHours(25));

        begun("late", 0);
        assertThat(rows()).isBetween((long) Pieces.ROWS, Pieces.ROWS + 2L);
        begun("late", 1);
        begun("late", 2);
        assertThat(rows()).isEqualTo(3);
    }

    private RepeatedRequests.Turn begun(String caller, int number) {
        clock.advance(Duration.ofMillis(1));
        return begun(requests.id(caller, Integer.toString(number)));
    }

    private RepeatedRequests.Turn begun(RepeatedRequests.Id id) {
        return Objects.requireNonNull(requests.begin(id).turn(), "another one's turn");
    }

    @Test
    void anAnswerThatIsTooLongIsNotKept() {
        byte[] noise = new byte[70_000];
        new Random(1).nextBytes(noise);
        RepeatedRequests.Id id = requests.id("visitor", "key");
        requests.keep(begun(id), new Kept("f".repeat(64), 200, "text/plain", noise, false), ROOM);
        assertThat(requests.begin(id).turn()).isNotNull();
        assertThat(rows()).isOne();
    }

    @Test
    void anotherServersKeyOpensNothing() {
        RepeatedRequests.Id id = requests.id("visitor", "key");
        requests.keep(begun(id), ANSWER, ROOM);
        new JdbcTemplate(database).update("update repeated_request set body = X'00112233445566778899aabbccddeeff'");
        assertThat(requests.begin(id).turn()).as("not readable, so not there").isNotNull();

        assertThat(requests(KEY.replace('M', 'N'), new Bounds(20, 50, 10)).id("visitor", "key"))
                .isNotEqualTo(id);
    }

    @Test
    void whatWasKeptOfACallerIsForgotten() {
        RepeatedRequests.Id mine = requests.id("mine", "key");
        RepeatedRequests.Id yours = requests.id("yours", "key");
        RepeatedRequests.Id running = requests.id("mine", "other");
        RepeatedRequests.Turn served = begun(running);
        requests.keep(begun(mine), ANSWER, ROOM);
        requests.keep(begun(yours), ANSWER, ROOM);

        requests.forget("mine");

        assertThat(requests.begin(mine).turn()).isNotNull();
        assertThat(requests.begin(yours).kept()).isNotNull();
        requests.keep(served, ANSWER, ROOM);
        assertThat(requests.begin(running).turn())
                .as("what was being served meanwhile")
                .isNotNull();
    }

    @Test
    void whoeverForgetsHisOwnAnswersIsAnsweredTwice() {
        RepeatedRequests.Id erasure = requests.id("mine", "erase");
        RepeatedRequests.Turn served = begun(erasure);
        requests.forget("mine");
        requests.keep(served, new Kept("f".repeat(64), 204, null, new byte[0], false), ROOM);

        assertThat(requests.begin(erasure).kept())
                .isNotNull()
                .extracting(Kept::status)
                .isEqualTo(204);
    }

    private long rows() {
        return JdbcClient.create(database)
                .sql("select count(*) from repeated_request")
                .query(Long.class)
                .single();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
