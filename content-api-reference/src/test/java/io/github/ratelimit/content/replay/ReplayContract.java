package io.github.ratelimit.content.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every recording gets the recorded answer; extended for each database.
 *
 * <p>{@code -Dreplay.topics=posts-list,batch} plays these topics only, {@code -Dreplay.topics=all} every one there is.
 */
@ExtendWith(SeededServer.Provider.class)
abstract class ReplayContract {

    /** Topics whose recordings all have to pass. */
    private static final List<String> MUST_PASS = List.of("cache", "pages-write", "transitions");

    static List<String> topics() {
        String chosen = System.getProperty("replay.topics", "");
        if (chosen.equals("all")) {
            return Recordings.ofTheProject().topics();
        }
        return chosen.isEmpty() ? MUST_PASS : Arrays.asList(chosen.split(","));
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("topics")
    void answersAsRecorded(String topic, SeededServer server) {
        Replayer.TopicResult result = server.replayer().play(topic);

        System.out.println(getClass().getSimpleName() + " " + result.report());
        assertThat(result.count(Replayer.Outcome.FAILED))
                .as("recordings of %s that were answered otherwise, printed above", topic)
                .isZero();
    }
}
