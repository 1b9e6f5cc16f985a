package io.github.ratelimit.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What servers say of their limits, in all forms that are common. */
class ServerFieldsTest {

    private static final Instant NOW = Instant.parse("2026-11-20T10:00:00Z"); // 1795168800

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "429 | Retry-After: 30                                                        | PT30S",
                "503 | Retry-After: 30                                                        | PT30S",
                "429 | Retry-After: Fri, 20 Nov 2026 10:01:00 GMT                             | PT1M",
                "429 | Retry-After: Fri, 20 Nov 2026 09:00:00 GMT                             | none",
                "429 | Retry-After: 0                                                         | none",
                "429 | Retry-After: soon                                                      | none",
                "429 | Retry-After: -5                                                        | none",
                "429 | Retry-After: 99999999999999999999                                      | PT277777777777H46M39S",
                "429 | Retry-After: 315360000                                                 | PT87600H",
                "429 | Retry-After: 1.5                                                       | PT2S",
                "429 | Retry-After: 30.0                                                      | PT30S",
                "429 | Retry-After: 0.25                                                      | PT1S",
                "429 | Retry-After: .5                                                        | none",
                "429 | Retry-After: 1,5                                                       | none",
                "403 | Retry-After: 30                                                        | PT30S",
                "403 |                                                                        | none",
                "413 | Retry-After: 30                                                        | PT30S",
                "429 | Retry-After-Ms: 250 & Retry-After: 1                                   | PT0.25S",
                "429 | Retry-After-Ms: soon & Retry-After: 1                                  | PT1S",
                "200 | X-Rate-Limit-Remaining: 0 & X-Rate-Limit-Reset: 60                     | PT1M",
                "200 | X-RateLimit-Remaining: 00 & X-RateLimit-Reset: 60                      | PT1M",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 6m0s                     | PT6M",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 1.5s                     | PT1.5S",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: -6s                      | none",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: minutes                  | none",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 2026-11-20T10:01:00Z     | PT1M",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 2026-11-20T11:01:00+01:00 | PT1M",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 1795168860 & X-RateLimit-Reset-After: 2.5 | PT3S",
                "500 | Retry-After: 30                                                        | none",
                "429 | Retry-After: Mon, 20 Nov 2036 10:00:00 GMT                             | none",
                "429 | Retry-After: Thu, 20 Nov 2036 10:00:00 GMT                             | PT87672H",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: -60                      | none",
                "200 | X-RateLimit-Remaining: -1 & X-RateLimit-Reset: 60                      | none",
                "429 |                                                                        | none",
                "200 | Retry-After: 30                                                        | none",
                "429 | Retry-After: 30 & X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 60     | PT30S",
                "429 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 60                       | PT1M",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 60                       | PT1M",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 12.5                     | PT13S",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 1795168859.5             | PT1M",
                "200 | RateLimit-Remaining: 0 & RateLimit-Reset: 20.0                         | PT20S",
                "200 | X-RateLimit-Remaining: 1 & X-RateLimit-Reset: 60                       | none",
                "200 | X-RateLimit-Remaining: 0                                               | none",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 1795168860               | PT1M",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 1795168860000            | PT1M",
                "200 | X-RateLimit-Remaining: 0 & X-RateLimit-Reset: 1795168000               | none",
                "200 | RateLimit-Remaining: 0 & RateLimit-Reset: 20                           | PT20S",
                "200 | RateLimit: \"burst\";r=0;t=7                                           | PT7S",
                "200 | RateLimit: \"burst\";r=5;t=7                                           | none",
                "200 | RateLimit: \"burst\";r=0;t=7, \"hour\";r=0;t=900                       | PT15M",
                "200 | RateLimit: \"burst\";r=0;t=7, \"hour\";r=9;t=900                       | PT7S",
                "200 | RateLimit: \"a,b;r=9\";t=7;r=0                                         | PT7S",
                "200 | RateLimit: default; r=0; t=7; pk=:abc:                                 | PT7S",
                "200 | RateLimit: \"burst\";r=0                                               | none",
                "200 | RateLimit: \"burst\";r=0;t=-7                                          | none",
                "200 | RateLimit: \"burst\";r=-1;t=7                                          | none",
                "200 | RateLimit: \"burst\";r=00000000000000000000;t=7                        | none",
                "429 | RateLimit: limit=100, remaining=0, reset=50                            | PT50S",
                "200 | RateLimit: limit=100;w=60, remaining=0,reset=50                        | PT50S",
                "200 | RateLimit: limit=100, remaining=3, reset=50                            | none",
                "200 | RateLimit: limit=100, remaining=0                                      | none",
                "200 | RateLimit: ;;;,,\"                                                     | none"
            })
    void serverIsNotCalledForAsLongAsItAsks(int status, String fields, String wait) {
        Map<String, String> byName = fields == null
                ? Map.of()
                : Arrays.stream(fields.split("&"))
                        .map(field -> field.strip().split(": ", 2))
                        .collect(Collectors.toMap(
                                field -> field[0],
                                field -> field[1],
                                (one, other) -> other,
                                () -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER)));
        assertThat(ServerFields.wait(status, byName::get, NOW)
                        .map(Duration::toString)
                        .orElse("none"))
                .isEqualTo(wait);
    }

    /** What some clients let through is as long as this. */
    @ParameterizedTest
    @ValueSource(strings = {";a=", "\"", ",", ";", " ;a=;", "\"a\"", "a"})
    void fieldThatIsMadeToBeHardToReadIsRead(String part) {
        String value = part.repeat(400_000 / part.length());
        assertThat(ServerFields.wait(200, Map.of("RateLimit", "a" + value)::get, NOW))
                .isEmpty();
        assertThat(ServerFields.wait(200, Map.of("RateLimit", "a;r=0;t=7" + value)::get, NOW))
                .isIn(Optional.empty(), Optional.of(Duration.ofSeconds(7)));
    }
}
