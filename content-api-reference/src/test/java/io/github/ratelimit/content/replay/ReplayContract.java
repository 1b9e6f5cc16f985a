package io.github.ratelimit.content.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every recording gets the recorded answer; extended for each database.
 *
 * <p>{@code -Dreplay.topics=posts-list,batch} plays these topics only.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ReplayContract {

    List<String> topics() {
        String chosen = System.getProperty("replay.topics", "");
        return chosen.isEmpty() ? usualTopics() : Arrays.asList(chosen.split(","));
    }

    /** Those that are played unless others are chosen: all. */
    List<String> usualTopics() {
        return Recordings.ofTheProject().topics();
    }

    @ParameterizedTest
    @MethodSource("topics")
    void answersAsRecorded(String topic, SeededServer server) {
        Replayer.TopicResult result = server.replayer().play(topic);

        System.out.println(getClass().getSimpleName() + " " + result.report());
        assertThat(result.count(Replayer.Outcome.FAILED))
                .as("recordings of %s that were answered otherwise, printed above", topic)
                .isZero();
    }
}
