package io.github.ratelimit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutcomesTest {

    @ParameterizedTest
    @CsvSource({
        "failures, 400 401 404 499 500 599",
        "successes, 100 200 204 302 399",
        "5xx, 500 599",
        "' 4XX', 400 401 404 499",
        "401, 401",
        "!5xx, 100 200 204 302 399 400 401 404 499",
        "' !Failures', 100 200 204 302 399"
    })
    void eachWordIncludesItsStatuses(String word, String statuses) {
        assertThat(IntStream.of(100, 200, 204, 302, 399, 400, 401, 404, 499, 500, 599)
                        .filter(Outcomes.of(word))
                        .mapToObj(Integer::toString))
                .containsExactly(statuses.split(" "));
    }

    @Test
    void oneThatFitsIsEnoughAndNoneMeansAll() {
        Outcomes some = Outcomes.of("401", "5xx");
        assertThat(IntStream.of(200, 401, 403, 503).filter(some)).containsExactly(401, 503);
        assertThat(IntStream.of(200, 401, 503).filter(Outcomes.ALL)).hasSize(3);
        assertThat(IntStream.of(200, 304, 401, 503).filter(Outcomes.of("successes", "!304", "401")))
                .containsExactly(200, 401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "failure", "600", "40", "4x1", "99", "401-403", "!", "!!304"})
    void anythingElseIsRejected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Outcomes.of(text))
                .withMessage(
                        "'%s' is no outcome; write failures, successes, a status such as 401 or 5xx, or !304 for all others",
                        text);
    }
}
