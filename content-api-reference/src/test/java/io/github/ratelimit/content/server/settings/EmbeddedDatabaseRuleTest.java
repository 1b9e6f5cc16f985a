package io.github.ratelimit.content.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;

class EmbeddedDatabaseRuleTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:file:./data/content",
                "jdbc:h2:./data/content",
                "jdbc:h2:~/content;MODE=PostgreSQL",
                "jdbc:h2:file:./data/content;WRITE_DELAY=500",
                "jdbc:h2:nio:/data/content;NO_WRITE_DELAY=0",
            })
    void rejectsAFileThatLosesWrites(String url) {
        assertThatThrownBy(() -> EmbeddedDatabaseRule.check(url))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith("spring.datasource.url: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:h2:file:./data/content;WRITE_DELAY=0",
                "jdbc:h2:./data/content;MODE=PostgreSQL;write_delay=0",
                "jdbc:h2:mem:test",
                "jdbc:postgresql://localhost/content",
                "",
            })
    void acceptsWhatKeepsWrites(String url) {
        assertThatCode(() -> EmbeddedDatabaseRule.check(url)).doesNotThrowAnyException();
    }

    @Test
    void isToldWithARemedy() {
        InvalidSettingException invalid = new InvalidSettingException("a.b", "must be c", "Set it to c.");

        FailureAnalysis analysis = new InvalidSettingFailureAnalyzer().analyze(invalid);

        assertThat(analysis)
                .returns("a.b: must be c", FailureAnalysis::getDescription)
                .returns("Set it to c.", FailureAnalysis::getAction);
    }
}
