package io.github.ratelimit.spring.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.spring.test.LimitedRequest.Answer;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What assertions about requests find out, and how they say it. */
class LimitedRequestAssertTest {

    private static final Answer FOUND = answer(200, Map.of("X-RateLimit-Remaining", "3"));
    private static final Answer REJECTED = answer(429, Map.of("Retry-After", "60"));

    private static Answer answer(int status, Map<String, String> fields) {
        return new Answer(status, fields::get);
    }

    private static LimitedRequestAssert answering(Answer... answers) {
        Deque<Answer> left = new ArrayDeque<>(List.of(answers));
        return LimitedRequestAssert.assertThatRequest(left::remove);
    }

    @Test
    void rejectionThatComesEarlyIsTold() {
        assertThatThrownBy(() -> answering(FOUND, REJECTED).isAllowed(3))
                .isInstanceOf(AssertionError.class)
                .hasMessage("request 2 is to be allowed, and was answered 429, Retry-After: 60");
    }

    @Test
    void requestThatNothingServesIsNotAllowed() {
        assertThatThrownBy(() -> answering(answer(404, Map.of())).isAllowed())
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        "request 1 is to be allowed, and was answered 404, which says that nothing serves its path");
        answering(answer(500, Map.of()), answer(401, Map.of())).isAllowed(2);
    }

    @Test
    void missingRejectionIsTold() {
        assertThatThrownBy(() -> answering(FOUND, FOUND).isAllowed().thenRejected())
                .isInstanceOf(AssertionError.class)
                .hasMessage("request 2 is to be rejected with 429, and was answered 200, X-RateLimit-Remaining: 3");
    }

    /** Most often a {@code MockMvc} that was built without the filter. */
    @Test
    void answerThatNoLimitTookPartInIsTold() {
        assertThatThrownBy(() -> answering(new Answer(200, name -> null)).thenRejected())
                .isInstanceOf(AssertionError.class)
                .hasMessage("request 1 is to be rejected with 429, and was answered 200, without a field of any limit;"
                        + " a MockMvc that is built by hand meets path rules only with"
                        + " addFilters(context.getBean(RateLimitFilter.class))");
    }

    @Test
    void rejectionNeedsARetryAfterOfWholeSeconds() {
        for (String wrong : List.of("0", "-1", "soon", "1.5")) {
            assertThatThrownBy(() ->
                            answering(answer(429, Map.of("Retry-After", wrong))).thenRejected())
                    .isInstanceOf(AssertionError.class)
                    .hasMessageStartingWith("request 1 is to have a Retry-After of whole seconds");
        }
        assertThatThrownBy(() -> answering(answer(429, Map.of())).thenRejected())
                .isInstanceOf(AssertionError.class)
                .hasMessage("request 1 is to have a Retry-After of whole seconds, and was answered 429");
    }

    @Test
    void retryAfterAndFieldsAreCompared() {
        answering(REJECTED)
                .thenRejected()
                .hasRetryAfter(Duration.ofMinutes(1))
                .hasField("Retry-After", "60")
                .hasNoField("X-RateLimit-Limit");
        assertThatThrownBy(() -> answering(REJECTED).thenRejected().hasRetryAfter(Duration.ofSeconds(59)))
                .isInstanceOf(AssertionError.class)
                .hasMessage("request 1 is to have Retry-After: 59, and was answered 429, Retry-After: 60");
        assertThatThrownBy(() -> answering(FOUND).isAllowed().hasField("X-RateLimit-Limit", "10"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("request 1 is to have X-RateLimit-Limit: 10, and has none");
        assertThatThrownBy(() -> answering(FOUND).isAllowed().hasNoField("X-RateLimit-Remaining"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("request 1 is to have no X-RateLimit-Remaining");
    }

    @Test
    void windowThatEndsTooEarlyOrTooLateIsTold() {
        answering(REJECTED, REJECTED, FOUND).thenRejected().thenAllowedAgain(new TestClock());
        assertThatThrownBy(() -> answering(REJECTED, FOUND).thenRejected().thenAllowedAgain(new TestClock()))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "request 2 is to be rejected still, PT59S after a rejection with Retry-After: 60");
        assertThatThrownBy(() ->
                        answering(REJECTED, REJECTED, REJECTED).thenRejected().thenAllowedAgain(new TestClock()))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("request 3 is to be allowed");
    }

    @Test
    void mistakesOfTheTestAreTold() {
        assertThatThrownBy(() -> answering().isAllowed(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("times must be 1 or more, was 0");
        assertThatThrownBy(() -> answering().hasField("a", "b"))
                .hasMessage("nothing was sent yet: begin with isAllowed or thenRejected");
        assertThatThrownBy(() -> LimitedRequestAssert.assertThatRequest(() -> {
                            throw new IOException("closed");
                        })
                        .isAllowed())
                .isInstanceOf(AssertionError.class)
                .hasMessage("request 1 was not answered: java.io.IOException: closed");
    }
}
