package io.github.ratelimit.content.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RoutePatternTest {
    private final RoutePattern pattern = RoutePattern.of("/cms/v2/posts/<parent>/revisions/<id>");

    @Test
    void namedSegmentsAreDigitsUnlessSaidOtherwise() {
        assertThat(pattern).hasToString("/cms/v2/posts/(?P<parent>[\\d]+)/revisions/(?P<id>[\\d]+)");
        assertThat(pattern.match(RoutePattern.split("/cms/v2/posts/7/revisions/8")))
                .hasValueSatisfying(values ->
                        assertThat(values).containsEntry("parent", "7").containsEntry("id", "8"));
        assertThat(RoutePattern.of("/p/<uuid:[\\w\\-]+>").match(RoutePattern.split("/p/a-b")))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/cms/v2/posts/7/revisions",
                "/cms/v2/posts/7/revisions/8/9",
                "/cms/v2/posts/7x/revisions/8",
                "/cms/v2/posts//revisions/8",
                "/CMS/v2/posts/7/revisions/8",
                "/cms/v2/posts/7/revisions/8//"
            })
    void otherPathsDoNotMatch(String path) {
        assertThat(pattern.match(RoutePattern.split(path))).isEmpty();
    }

    @Test
    void oneSlashAtTheEndIsAllowed() {
        assertThat(pattern.match(RoutePattern.split("/cms/v2/posts/7/revisions/8/")))
                .isPresent();
    }
}
