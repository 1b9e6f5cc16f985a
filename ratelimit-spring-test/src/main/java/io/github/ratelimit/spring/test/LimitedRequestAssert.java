package io.github.ratelimit.spring.test;

import io.github.ratelimit.spring.test.LimitedRequest.Answer;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about a request that is sent as often as they need.
 *
 * <pre>{@code
 * assertThatRequest(mvc.get().uri("/search"))
 *         .isAllowed(10)
 *         .thenRejected()
 *         .hasField("X-RateLimit-Limit", "10")
 *         .thenAllowedAgain(clock);
 * }</pre>
 *
 * <p>A request is rejected if it is answered with 429. It is allowed if it is answered with anything else but 404, because a 404 most often means that
 * the test asks for a wrong path.
 * For one thread.
 */
public final class LimitedRequestAssert {

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int NOT_FOUND = 404;
    private static final List<String> SHOWN = List.of(
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "RateLimit-Policy",
            "RateLimit",
            "Retry-After");

    private final LimitedRequest request;
    private int sent;
    private @Nullable Answer last;

    private LimitedRequestAssert(LimitedRequest request) {
        this.request = request;
    }

    /** Begins assertions about a request of any client. */
    public static LimitedRequestAssert assertThatRequest(LimitedRequest request) {
        return new LimitedRequestAssert(request);
    }

    /** Sends the request once, and expects that no limit rejects it and that it is found. */
    public LimitedRequestAssert isAllowed() {
        return isAllowed(1);
    }

    /**
     * Sends the request so often, and expects that no limit rejects any and that it is found.
     *
     * @param times 1 or more
     * @throws IllegalArgumentException if {@code times} is not positive
     */
    public LimitedRequestAssert isAllowed(int times) {
        if (times < 1) {
            throw new IllegalArgumentException("times must be 1 or more, was " + times);
        }
        for (int i = 0; i < times; i++) {
            Answer answer = send();
            require(() -> answer.status() != TOO_MANY_REQUESTS && answer.status() != NOT_FOUND, "is to be allowed");
        }
        return this;
    }

    /** Sends the request once, and expects a rejection: 429, and a {@code Retry-After} of whole seconds, at least 1. */
    public LimitedRequestAssert thenRejected() {
        Answer answer = send();
        require(() -> answer.status() == TOO_MANY_REQUESTS, "is to be rejected with 429");
        retryAfter();
        return this;
    }

    /** Expects that the last answer was a rejection with this {@code Retry-After}. */
    public LimitedRequestAssert hasRetryAfter(Duration wait) {
        Duration told = retryAfter();
        require(() -> told.equals(wait), "is to have Retry-After: " + wait.toSeconds());
        return this;
    }

    /**
     * Expects a header field of the last answer.
     *
     * @param name for example {@code X-RateLimit-Limit}, in any case
     * @param value its whole value
     */
    public LimitedRequestAssert hasField(String name, String value) {
        Answer answer = last();
        String found = answer.field(name);
        require(
                () -> value.equals(found),
                "is to have %s: %s, and has %s".formatted(name, value, found == null ? "none" : found));
        return this;
    }

    /** Expects that the last answer does not have a header field. */
    public LimitedRequestAssert hasNoField(String name) {
        Answer answer = last();
        require(() -> answer.field(name) == null, "is to have no " + name);
        return this;
    }

    /**
     * After a rejection: moves the clock by its {@code Retry-After}, and expects that the request is still rejected a second before, and allowed then.
     */
    public LimitedRequestAssert thenAllowedAgain(TestClock clock) {
        Duration wait = retryAfter();
        Duration before = wait.minusSeconds(1);
        if (!before.isZero()) {
            clock.advance(before);
            Answer early = send();
            require(
                    () -> early.status() == TOO_MANY_REQUESTS,
                    "is to be rejected still, %s after a rejection with Retry-After: %d"
                            .formatted(before, wait.toSeconds()));
        }
        clock.advance(Duration.ofSeconds(1));
        return isAllowed();
    }

    private Answer send() {
        try {
            sent++;
            Answer answer = request.send();
            last = answer;
            return answer;
        } catch (Exception e) {
            throw new AssertionError("request %d was not answered: %s".formatted(sent, e), e);
        }
    }

    private Answer last() {
        return Objects.requireNonNull(last, "nothing was sent yet: begin with isAllowed or thenRejected");
    }

    private Duration retryAfter() {
        String value = last().field("Retry-After");
        require(() -> value != null && value.matches("[1-9][0-9]{0,9}"), "is to have a Retry-After of whole seconds");
        return Duration.ofSeconds(Long.parseLong(Objects.requireNonNull(value)));
    }

    private void require(BooleanSupplier holds, String expected) {
        if (!holds.getAsBoolean()) {
            throw new AssertionError("request %d %s, and was answered %s".formatted(sent, expected, described(last())));
        }
    }

    private static String described(Answer answer) {
        List<String> parts = new ArrayList<>();
        parts.add(Integer.toString(answer.status()));
        for (String name : SHOWN) {
            String value = answer.field(name);
            if (value != null) {
                parts.add(name + ": " + value);
            }
        }
        if (answer.status() == NOT_FOUND) {
            parts.add("which says that nothing serves its path");
        } else if (parts.size() == 1 && answer.status() != TOO_MANY_REQUESTS) {
            parts.add("without a field of any limit; a MockMvc that is built by hand meets path rules only with"
                    + " addFilters(context.getBean(RateLimitFilter.class))");
        }
        return String.join(", ", parts);
    }
}
