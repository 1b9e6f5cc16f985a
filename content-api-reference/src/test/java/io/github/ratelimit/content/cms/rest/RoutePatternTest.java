package io.github.ratelimit.content.cms.rest;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RoutePatternTest {
    private final RoutePattern pattern = new RoutePattern("cms/v2", "/posts/<parent>/revisions/<id>");

    @Test
    void namedSegmentsAreDigitsUnlessSaidOtherwise() {
        assertThat(pattern).hasToString("/cms/v2/posts/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)");
        assertThat(pattern.match("/cms/v2/posts/7/revisions/8"))
                .hasValueSatisfying(values ->
                        assertThat(values).containsEntry("parent", "7").containsEntry("id", "8"));
        assertThat(new RoutePattern("", "/p/<uuid:[\\w\\-]+>").match("/p/a-b")).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/cms/v2/posts/7/revisions",
                "/cms/v2/posts/7/revisions/8/9",
                "/cms/v2/posts/7x/revisions/8",
                "/cms/v2/posts//revisions/8",
                "/CMS/v2/posts/7/revisions/8",
                "/cms/V2/posts/7/revisions/8",
                "/cms/v2/posts/7/revisions/8/"
            })
    void otherPathsDoNotMatch(String path) {
        assertThat(pattern.match(path)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/cms/v2/POSTS/7/revisions/8", "/cms/v2/posts/7/Revisions/8"})
    void behindTheNamespaceTheLetterCaseDoesNotCount(String path) {
        assertThat(pattern.match(path)).isPresent();
        assertThat(pattern.path(pattern.match(path).orElseThrow())).isEqualTo("/cms/v2/posts/7/revisions/8");
    }
}
