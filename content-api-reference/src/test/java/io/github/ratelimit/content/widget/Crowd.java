package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.RawConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** 64 clients that call at once, each on a connection of its own, and what they were told altogether. */
final class Crowd {

    static final int CLIENTS = 64;

    private Crowd() {}

    /** A request of the crowd. */
    @FunctionalInterface
    interface Call {
        /** Sends the request of this number, 0 and up, on this connection. */
        Answer send(RawConnection connection, int number);
    }

    /** Sends so many requests from one address. */
    static Outcome send(String base, int requests, Call call) {
        return send(base, "127.0.0.1", requests, call);
    }

    /** Sends so many requests from an address of this machine. */
    static Outcome send(String base, String from, int requests, Call call) {
        var next = new AtomicInteger();
        List<List<Answer>> all = AtOnce.run(CLIENTS, client -> {
            List<Answer> answers = new ArrayList<>();
            try (var connection = new RawConnection(base, from)) {
                for (int number = next.getAndIncrement(); number < requests; number = next.getAndIncrement()) {
                    answers.add(call.send(connection, number));
                }
            }
            return answers;
        });
        return new Outcome(all.stream().flatMap(List::stream).toList());
    }

    /**
     * All answers.
     *
     * @param answers in no order
     */
    record Outcome(List<Answer> answers) {

        List<Answer> admitted() {
            return answers.stream().filter(answer -> answer.status() != 429).toList();
        }

        List<Answer> rejected() {
            return answers.stream().filter(answer -> answer.status() == 429).toList();
        }

        /** Exactly the limit was admitted, and each admission was told another number of permits that remain. */
        Outcome sharedExactly(long limit) {
            assertThat(admitted()).hasSize((int) limit);
            assertThat(admitted().stream()
                            .map(answer -> number(answer, "X-RateLimit-Remaining"))
                            .sorted()
                            .toList())
                    .isEqualTo(LongStream.range(0, limit).boxed().toList());
            assertThat(answers).allSatisfy(answer -> {
                assertThat(number(answer, "X-RateLimit-Limit")).isEqualTo(limit);
                assertThat(answer.status()).as(answer.text()).isLessThan(500);
            });
            assertThat(admitted())
                    .allSatisfy(
                            answer -> assertThat(answer.header("Retry-After")).isEmpty());
            return this;
        }

        /** All rejections have the documented form, and every answer names the same end of the window. */
        Outcome rejectedAsDocumented(long nowSeconds, String word) {
            List<Long> resets = answers.stream()
                    .map(answer -> number(answer, "X-RateLimit-Reset"))
                    .distinct()
                    .toList();
            assertThat(resets).hasSize(1);
            assertThat(rejected()).isNotEmpty().allSatisfy(answer -> {
                assertThat(number(answer, "X-RateLimit-Remaining")).isZero();
                // Both are rounded up, so the wait may name the second before the one that the end falls into.
                assertThat(number(answer, "Retry-After"))
                        .isBetween(resets.get(0) - nowSeconds - 1, resets.get(0) - nowSeconds);
                assertThat(answer.mediaType()).isEqualTo("application/json");
                assertThat(answer.json().propertyNames()).containsExactly("error");
                assertThat(answer.text("/error/code")).isEqualTo("rate_limited");
                assertThat(answer.text("/error/message")).containsIgnoringCase(word);
            });
            return this;
        }

        String statuses() {
            return answers.stream()
                    .collect(Collectors.groupingBy(Answer::status, TreeMap::new, Collectors.counting()))
                    .toString();
        }
    }

    static long number(Answer answer, String field) {
        return answer.header(field)
                .map(Long::parseLong)
                .orElseThrow(() -> new AssertionError(field + " is missing: " + answer.status() + " " + answer.text()));
    }
}
