package io.github.ratelimit.content.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every recording gets the recorded answer; extended for each database.
 *
 * <p>{@code -Dreplay.topics=posts-list,batch} plays these topics only, {@code -Dreplay.topics=all} every one there is.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ReplayContract {

    /** Topics whose recordings all have to pass. */
    private static final List<String> MUST_PASS = List.of();

    private final Database database;

    @SuppressWarnings("NullAway.Init")
    private ReferenceServer server;

    @SuppressWarnings("NullAway.Init")
    private Replayer replayer;

    ReplayContract(Database database) {
        this.database = database;
    }

    static List<String> topics() {
        String chosen = System.getProperty("replay.topics", "");
        if (chosen.equals("all")) {
            return Recordings.ofTheProject().topics();
        }
        return chosen.isEmpty() ? MUST_PASS : Arrays.asList(chosen.split(","));
    }

    @BeforeAll
    void loadContent() {
        server = ReferenceServer.start(database);
        SiteClient site = new SiteClient(server.base());
        replayer = Replayer.load(site, Accounts.standard(), Recordings.ofTheProject());
        replayer.content().problems().forEach(problem -> System.out.println("content: " + problem));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("topics")
    void answersAsRecorded(String topic) {
        Replayer.TopicResult result = replayer.play(topic);

        System.out.println(database + " " + result.report());
        assertThat(result.count(Replayer.Outcome.FAILED)).as(result.report()).isZero();
    }
}
