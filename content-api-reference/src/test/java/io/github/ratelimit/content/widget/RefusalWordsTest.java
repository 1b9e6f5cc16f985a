package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RefusalBody;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

/** Only who has said too much in a conversation is told so, also where one decision is made over several limiters. */
final class RefusalWordsTest {

    private static final RefusalBody WORDS = new WidgetConfiguration().refusalBody();

    @Test
    void theConversationIsNamedWhereItsLimiterRefuses() {
        assertThat(refusal(1, 9)).contains("Too many widget requests for this conversation.");
    }

    @Test
    void theConversationIsNotNamedWhereAnotherLimiterRefuses() {
        assertThat(refusal(9, 1))
                .doesNotContain("conversation")
                .contains("Too many requests; try again in 60 seconds.");
    }

    private static String refusal(long ofConversation, long ofSite) {
        Limiters<HttpCall> limiters = Limiters.<HttpCall>builder(InProcessStore.create(new TestClock()))
                .add(spec("site", ofSite))
                .add(spec("widget-session", ofConversation))
                .build();
        var limiter = new HttpRateLimiter(limiters, FieldStyle.LEGACY);
        HttpVerdict verdict = check(limiter, call());
        assertThat(verdict.allowed()).isTrue();
        HttpCall refused = call();
        verdict = check(limiter, refused);
        RefusalBody.Content content = WORDS.of(verdict, refused);
        assertThat(content.status()).isEqualTo(429);
        assertThat(content.type()).isEqualTo("application/json");
        return content.text();
    }

    private static HttpVerdict check(HttpRateLimiter limiter, HttpCall call) {
        return limiter.check(List.of("site", "widget-session"), call);
    }

    private static HttpCall call() {
        return ServletCall.of(new MockHttpServletRequest());
    }

    private static LimiterSpec<HttpCall> spec(String name, long permits) {
        return LimiterSpec.of(name, Limit.of(permits, Duration.ofMinutes(1)), HttpKeys.clientAddress());
    }
}
