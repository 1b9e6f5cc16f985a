package io.github.ratelimit.content.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every recording gets the recorded answer; extended for each database.
 *
 * <p>{@code -Dreplay.topics=posts-list,batch} plays these topics only.
 */
abstract class ReplayContract {

    static List<String> topics() {
        String chosen = System.getProperty("replay.topics", "");
        return chosen.isEmpty() ? Recordings.ofTheProject().topics() : Arrays.asList(chosen.split(","));
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
