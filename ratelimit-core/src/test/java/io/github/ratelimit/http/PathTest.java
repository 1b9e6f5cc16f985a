package io.github.ratelimit.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathTest {

    @ParameterizedTest
    @CsvSource({
        "/a/b, /a/b, true",
        "/a/b, /a/b/, true",
        "/a/b/, /a/b, true",
        "/a/b, /A/b, false",
        "/a/b, /a, false",
        "/a/b, /a/b/c, false",
        "/a/*, /a/b, true",
        "/a/*, /a/b/c, false",
        "/a/*, /a, false",
        "/v1/cms/**, /v1/cms, true",
        "/v1/cms/**, /v1/cms/, true",
        "/v1/cms/**, /v1/cms/a/b/c, true",
        "/v1/cms/**, /v1/cmsx, false",
        "/v1/cms/**, /v1, false",
        "/**, /, true",
        "/**, /a, true",
        "/, /, true",
        "/, /a, false",
        "/m*, /messages, true",
        "/messages*, /messages, true",
        "/messages*, /messages-of-today, true",
        "/messages*, /message, false",
        "/messages*/**, /messages/1/feedback, true",
        "/*.html, /a.html, true",
        "/*.html, /.html, true",
        "/*.html, /html, false",
        "/a*b*c, /abc, true",
        "/a*b*c, /a-b-b-c, true",
        "/a*b*c, /acb, false",
        "/a*b*c, /ac, false",
        "/ab*ba, /aba, false",
        "/a*bc*c, /abc, false",
    })
    void patternMatchesWholeSegments(String pattern, String path, boolean matches) {
        assertThat(PathPattern.parse(pattern).matches(path)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a/b", "/a//b", "/**/a", "/a**", "/a/**b"})
    void malformedPatternIsRefused(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathPattern.parse(pattern))
                .withMessageContaining("path pattern '" + pattern + "'");
    }

    @Test
    void patternShowsAsItWasWritten() {
        assertThat(PathPattern.parse("/a/**")).hasToString("/a/**");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/a",
                "/a/b/",
                "/a.b/c..d",
                "/.well-known/x",
                "/...",
                "/a;x=1/b;y",
                "/a;",
                "/%61pi",
                "/%E4%B8%AD",
                "/a%20b",
                "*",
                "/a/b;jsessionid=1",
                "/a;..",
                "/%2e%2e%2e",
                "/~x/-_!$&'()+,=:@"
            })
    void plainPathIsNotAmbiguous(String path) {
        assertThat(RawPath.isAmbiguous(path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "//",
                "//a",
                "/a//b",
                "/a//",
                "/./a",
                "/a/.",
                "/..",
                "/../a",
                "/a/../b",
                "/a/..;/b",
                "/a/.;x/b",
                "/%2e/a",
                "/%2E%2e/a",
                "/.%2e/a",
                "/a/%2e%2e;x/b",
                "/a%2fb",
                "/a%2Fb",
                "/a%5cb",
                "/a\\b",
                "/a%25b",
                "/%2561",
                "/a%00",
                "/a%0d%0ab",
                "/a%7f",
                "/a%",
                "/a%2",
                "/a%zz",
                "/a%3bx",
                "/;x",
                "/;x/a",
                "/a/;x/b",
                "/a b",
                "/a\tb",
                "/ä",
                "/a\u0000",
                "/％61",
                "/a/%",
                "http://host/a"
            })
    void pathThatCanBeReadInTwoWaysIsAmbiguous(String path) {
        assertThat(RawPath.isAmbiguous(path)).isTrue();
    }
}
