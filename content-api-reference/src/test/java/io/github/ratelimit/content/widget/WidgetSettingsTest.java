package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.content.server.settings.ServerKey;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.test.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WidgetSettingsTest {

    private static final String KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

    @Test
    void aKeyIsKeptOverStarts() {
        var session = new VisitorTokens.Session(UUID.randomUUID());
        String token = tokens(KEY).issue(session).token();

        assertThat(tokens(KEY).verify(token)).contains(session);
    }

    @Test
    void withoutAKeyItComesFromTheServersOwn(@TempDir Path directory) {
        var session = new VisitorTokens.Session(UUID.randomUUID());
        String token = tokens(null, ServerKey.in(directory.resolve("server.key")))
                .issue(session)
                .token();

        assertThat(tokens(" ", ServerKey.in(directory.resolve("server.key"))).verify(token))
                .as("after another start")
                .contains(session);
        assertThat(tokens(null, ServerKey.in(directory.resolve("other.key"))).verify(token))
                .as("of another server")
                .isEmpty();
    }

    @Test
    void aKeyThatDoesNotFitIsNamedAndNotRepeated() {
        for (String key : List.of("bm90IGVub3VnaA==", "!secret!", KEY.substring(4))) {
            assertThatThrownBy(() -> tokens(key))
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageStartingWith("content-api.visitor.signing-key: must be base64")
                    .hasMessageNotContaining(key)
                    .hasNoCause();
        }
    }

    @Test
    void settingsDoNotPrintTheKey() {
        assertThat(new WidgetSettings.Visitor(KEY, Duration.ofHours(1)).toString())
                .doesNotContain(KEY);
    }

    private static VisitorTokens tokens(@Nullable String key) {
        return tokens(key, ServerKey.of(KEY));
    }

    private static VisitorTokens tokens(@Nullable String key, ServerKey serverKey) {
        return WidgetConfiguration.visitorTokens(
                new TestClock(), new WidgetSettings.Visitor(key, Duration.ofHours(1)), serverKey);
    }
}
