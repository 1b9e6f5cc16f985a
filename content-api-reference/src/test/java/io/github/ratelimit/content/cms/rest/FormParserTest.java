package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FormParserTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1&b=2|{\"a\":\"1\",\"b\":\"2\"}",
                "a|{\"a\":\"\"}",
                "a=1&a=2|{\"a\":\"2\"}",
                "a[]=1&a[]=2|{\"a\":[\"1\",\"2\"]}",
                "a%5B%5D=1|{\"a\":[\"1\"]}",
                "a[7]=x&a[3]=y|{\"a\":[\"x\",\"y\"]}",
                "a[b][c][d][e][f]=1|{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":\"1\"}}}}}}",
                "a[b]=1&a[c][]=2|{\"a\":{\"b\":\"1\",\"c\":[\"2\"]}}",
                "a=x+y%20z%2B|{\"a\":\"x y z+\"}",
                "a[=1&b]=2|{\"a[\":\"1\",\"b]\":\"2\"}",
                "&&a=1&|{\"a\":\"1\"}",
                "a=%C3%A9|{\"a\":\"\u00e9\"}"
            })
    void namesSpellListsAndObjects(String query, String tree) {
        assertThat(FormParser.parse(query)).hasToString(tree);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=%", "a=%zz", "a=%C3", "a=%FF", "a=%00", "a=%ED%A0%80", "%C0%AF=1"})
    void whatIsNoTextIsRejected(String query) {
        RestError rejected = catchThrowableOfType(RestError.class, () -> FormParser.parse(query));

        assertThat(rejected.status()).isEqualTo(400);
    }

    @Test
    void moreNamesThanAnyoneSendsAreRejected() {
        assertThat(FormParser.parse("a=1&".repeat(1_000))).hasSize(1);
        assertThat(catchThrowableOfType(RestError.class, () -> FormParser.parse("a=1&".repeat(1_001)))
                        .code())
                .isEqualTo("rest_too_many_params");
        assertThat(catchThrowableOfType(RestError.class, () -> FormParser.parse("a[b][c][d][e][f][g]=1"))
                        .status())
                .isEqualTo(400);
    }
}
