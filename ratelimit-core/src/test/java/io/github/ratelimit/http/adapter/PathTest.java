package io.github.ratelimit.http.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.Chars;
import net.jqwik.api.constraints.StringLength;
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
        "/a*a*b, /aab, true",
        "/a*a*b, /aXaXab, true",
        "/a*b/c*, /ab/c, true",
        "/a*b/c*, /ab/d, false",
        "/a*b/**, /a, false",
        "/a b, /a b, true",
        "/café, /café, true",
        "/a, //a, false",
        "/a/b, /a//b, false",
        "/a, a, true",
        "/, '', true",
        "/**, '', true",
        "/a/**, /a//, true",
        "/a, /a//, true",
    })
    void patternMatchesWholeSegments(String pattern, String path, boolean matches) {
        assertThat(PathPattern.parse(pattern).matches(path)).isEqualTo(matches);
    }

    /** The definition of a match, slow and obviously right: segment by segment, each by a regular expression. */
    @Property(tries = 5_000)
    void patternMatchesWhatItsSegmentsMatch(
            @ForAll @CharRange(from = 'a', to = 'b') @Chars({'/', '*', '/'}) @StringLength(max = 7) String pattern,
            @ForAll @CharRange(from = 'a', to = 'b') @Chars({'/', '/'}) @StringLength(max = 8) String path) {
        PathPattern parsed;
        try {
            parsed = PathPattern.parse("/" + pattern);
        } catch (IllegalArgumentException malformed) {
            return;
        }
        List<String> expected = segments("/" + pattern);
        boolean open = !expected.isEmpty() && expected.get(expected.size() - 1).equals("**");
        expected = open ? expected.subList(0, expected.size() - 1) : expected;
        List<String> actual = segments(path);
        boolean matches = open ? actual.size() >= expected.size() : actual.size() == expected.size();
        for (int i = 0; matches && i < expected.size(); i++) {
            matches = actual.get(i).matches(expected.get(i).replace("*", ".*"));
        }
        assertThat(parsed.matches(path)).as("%s on %s", parsed, path).isEqualTo(matches);
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        int start = path.startsWith("/") ? 1 : 0;
        int end = path.endsWith("/") ? path.length() - 1 : path.length();
        while (start < end) {
            int slash = path.indexOf('/', start);
            slash = slash < 0 || slash > end ? end : slash;
            segments.add(path.substring(start, slash));
            start = slash + 1;
        }
        return segments;
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiterString = " -> ",
            value = {
                "/users/{id} -> it has no variables; use * for one segment, or ** as the last for all that follow: '/users/*'",
                "/users/{id:[0-9]+}/a -> it has no variables; use * for one segment, or ** as the last for all that follow: '/users/*/a'",
                "/a} -> it has no variables; use * for one segment, or ** as the last for all that follow: '/a}'",
                "/api?x=1 -> a path has no query, and ? stands for no character; leave the query out, or use * for any characters",
                "/caf%C3%A9 -> paths are matched decoded; write it decoded: '/café'",
                "/100% -> paths are matched decoded; write it decoded: '/100%'",
                "/a%0ab -> paths are matched decoded; write it decoded: '/a%0ab'",
                "/%C3%A9%zz%4 -> paths are matched decoded; write it decoded: '/é%zz%4'",
                "/a#b -> a path has no fragment; leave out what begins with #",
                "/a;v=1 -> paths are matched without parameters; leave out what begins with ;",
                "/a\\b -> a backslash is no separator; write /",
                "/a/../b -> a path has no segment '..' once it is decoded; leave it out",
                "/./b -> a path has no segment '.' once it is decoded; leave it out",
                "/a/**/b -> no segment may be empty, and ** may only be the last",
                "a/b -> it must begin with a slash",
            })
    void patternThatCanMatchNothingIsRejectedWithARemedy(String pattern, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathPattern.parse(pattern))
                .withMessage("path pattern '" + pattern + "': " + why);
    }

    @Test
    void controlCharacterIsRejectedAndNotShown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathPattern.parse("/a\nb"))
                .withMessage("path pattern '/a\uFFFDb': a path has no control characters, was U+000A; leave it out");
    }

    @Test
    void unknownMethodIsRejectedAndTheKnownOnesAreNamed() {
        PathPattern pattern = PathPattern.parse("/a");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PathRule(pattern, Set.of("GTE"), "api"))
                .withMessage(
                        "path rule '/a' of limiter 'api': no such method: 'GTE'; known: GET, HEAD, POST, PUT, DELETE,"
                                + " PATCH, OPTIONS, TRACE, QUERY, PROPFIND, PROPPATCH, MKCOL, COPY, MOVE, LOCK, UNLOCK, REPORT,"
                                + " SEARCH; leave methods out to limit any other");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PathRule(pattern, Set.of("get "), "api"))
                .withMessage("path rule '/a' of limiter 'api': no such method: 'get '; write 'GET'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PathRule(pattern, Set.of(""), "api"))
                .withMessageContaining("no such method: ''; known: GET");
        assertThat(new PathRule(pattern, Set.of("QUERY", "PROPFIND"), "api").methods())
                .containsExactlyInAnyOrder("QUERY", "PROPFIND");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a/b", "/a//b", "/**/a", "/a**", "/a/**b"})
    void malformedPatternIsRejected(String pattern) {
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
                "/.a/b./..c",
                "/a/b;x/",
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
                "/%６１",
                "/a/%2\uFF45",
                "/%٦1",
                "http://host/a"
            })
    void pathThatCanBeReadInTwoWaysIsAmbiguous(String path) {
        assertThat(RawPath.isAmbiguous(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api//x",
                "/api/a%2fb",
                "/api;x=1/a%5cb",
                "/%61pi/%",
                "//api/x",
                "/./api/x",
                "/open/..;/api/x",
                "/open/%2e%2e/api",
                "/open/%252e%252e/api",
                "/open/x%5c..%5c..%5capi",
                "/open/%u002e./api",
                "/root/api//x",
                "http://host/open"
            })
    void ambiguousPathMayAvoidARuleThatOneReadingMatches(String path) {
        List<PathRule> rules = List.of(PathRule.of("/api/**", "api"), PathRule.of("/other", "other"));
        assertThat(RawPath.mayAvoid(path, path.startsWith("/root") ? "/root" : "", rules))
                .isTrue();
        assertThat(RawPath.mayAvoid(path, "", List.of())).as("no rule").isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/open//x", "/open/a%2fb", "/apis//x", "/other/x//", "/%6fpen/%", "/open/./api", "/api/plain"})
    void pathOfWhichNoReadingMeetsARuleAvoidsNone(String path) {
        assertThat(RawPath.mayAvoid(path, "", List.of(PathRule.of("/api/**", "api"), PathRule.of("/other", "other"))))
                .isFalse();
        assertThat(RawPath.mayAvoid("/open//x", "/open", List.of(PathRule.of("/x", "x"))))
                .as("below the root nothing is certain")
                .isTrue();
    }
}
