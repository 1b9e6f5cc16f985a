package io.github.ratelimit.content.server.settings;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteRuleTest {
    @ParameterizedTest
    @CsvSource({
        "www.example.org, UTC, content-api.base-url",
        "ftp://example.org, UTC, content-api.base-url",
        "https://example.org/?a=b, UTC, content-api.base-url",
        "https://, UTC, content-api.base-url",
        "'', Mars/Olympus, content-api.site.timezone",
    })
    void refusesWhatCannotBeTrue(String address, String zone, String property) {
        assertThatThrownBy(() -> SiteRule.check(address, zone))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageStartingWith(property + ": ");
    }

    @ParameterizedTest
    @CsvSource({"'', ''", "https://www.example.org, Europe/Berlin", "http://[::1]:8080/site/, +02:00"})
    void acceptsWhatCanBeTrue(String address, String zone) {
        assertThatCode(() -> SiteRule.check(address, zone)).doesNotThrowAnyException();
    }
}
