package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RestJsonTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "nonsense",
                "{\"a\": 1} {\"b\": 2}",
                " ",
                "{\"a\": \"\\u0000\"}",
                "{\"a\": \"\\ud800\"}",
                "{\"a\": \"\\udc00\\ud800\"}",
                "{\"\\u0000\": 1}",
                "{'a': 1}",
                "[1,]"
            })
    void whatIsNotOneValueOfJsonIsRejected(String text) {
        RestError rejected = catchThrowableOfType(RestError.class, () -> RestJson.read(bytes(text)));

        assertThat(rejected.code()).isEqualTo("rest_invalid_json");
        assertThat(rejected.status()).isEqualTo(400);
    }

    @Test
    void ofANameThatComesTwiceTheLastValueCounts() {
        assertThat(RestJson.read(bytes("{\"a\": 1, \"b\": 2, \"a\": {\"c\": 3}}")))
                .hasToString("{\"a\":{\"c\":3},\"b\":2}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ | 4",
                "{\"a\":1,} | 4",
                "{\"a\":tru} | 4",
                "{\"a\" 1} | 4",
                "{\"a\":1e99999999999} | 4",
                "{\"a\":\"b | 3",
                "{\"a | 3",
                "`{\"a\":\"b\nc\"}` | 3",
                "`{\"a\":1,\n\"b\":}` | 4",
                "{\"a\":\"\\ud800\"} | 10",
                "{\"a\":\"\\udc00\"} | 10"
            })
    void saysWhatKindOfMistakeItIs(String text, int code) {
        RestError rejected = catchThrowableOfType(RestError.class, () -> RestJson.read(bytes(text)));

        assertThat(rejected.toAnswer().body().tree().at("/data/json_error_code").asInt())
                .isEqualTo(code);
    }

    @Test
    void bytesThatAreNoUtf8AreRejected() {
        byte[] latin = "{\"a\": \"\u00e9\"}".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(catchThrowableOfType(RestError.class, () -> RestJson.read(latin))
                        .code())
                .isEqualTo("rest_invalid_json");
    }

    @Test
    void depthHasAnEnd() {
        assertThat(RestJson.read(bytes("{\"a\": " + "[".repeat(63) + "]".repeat(63) + "}")))
                .hasSize(1);
        assertThat(catchThrowableOfType(
                                RestError.class, () -> RestJson.read(bytes("[".repeat(10_000) + "]".repeat(10_000))))
                        .code())
                .isEqualTo("rest_invalid_json");
    }

    @Test
    void aListHasItsPlacesAsNames() {
        assertThat(RestJson.read(bytes("[\"title\"]"))).hasToString("{\"0\":\"title\"}");
        assertThat(RestJson.read(bytes("5"))).isEmpty();
    }
}
