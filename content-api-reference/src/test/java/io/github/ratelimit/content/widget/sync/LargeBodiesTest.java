package io.github.ratelimit.content.widget.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.widget.api.ApiException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** How many large bodies are in memory does not depend on how many are sent. */
class LargeBodiesTest {
    private static final int LARGE = 2 << 20;

    private final LargeBodies gate = new LargeBodies(2, longest -> longest, Duration.ZERO);

    @Test
    void oneOfEachWorkspaceAndSomeOfAllAreReadAtATime() {
        MockHttpServletRequest first = request("a", LARGE);
        enter(first);

        assertBusy(request("a", LARGE));
        enter(request("b", LARGE));
        assertBusy(request("c", LARGE));
        enter(request("a", 1000));
        enter(request(null, LARGE));
        gate.afterCompletion(first, new MockHttpServletResponse(), this, null);
        enter(request("c", LARGE));
        assertBusy(request("a", LARGE));
    }

    @Test
    void aBodyWithoutALengthCountsAsALargeOne() {
        var chunked = new MockHttpServletRequest("POST", "/v1/cms/documents");
        chunked.setAttribute(WorkspaceToken.class.getName(), new WorkspaceToken("t", "a"));
        chunked.addHeader("Transfer-Encoding", "chunked");
        enter(chunked);

        assertBusy(request("a", LARGE));
    }

    @Test
    void whoMayNotWaitLongDoesNot() {
        LargeBodies full = new LargeBodies(2, longest -> longest.minusDays(1), Duration.ofDays(1));
        full.preHandle(request("a", LARGE), new MockHttpServletResponse(), this);

        assertThatThrownBy(() -> full.preHandle(request("a", LARGE), new MockHttpServletResponse(), this))
                .isInstanceOf(ApiException.class);
    }

    private void enter(MockHttpServletRequest request) {
        assertThat(gate.preHandle(request, new MockHttpServletResponse(), this)).isTrue();
    }

    private void assertBusy(MockHttpServletRequest request) {
        assertThatThrownBy(() -> gate.preHandle(request, new MockHttpServletResponse(), this))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE));
    }

    private static MockHttpServletRequest request(@Nullable String workspace, int length) {
        var request = new MockHttpServletRequest("POST", "/v1/cms/documents");
        request.setContent(new byte[length]);
        if (workspace != null) {
            request.setAttribute(WorkspaceToken.class.getName(), new WorkspaceToken("t", workspace));
        }
        return request;
    }
}
