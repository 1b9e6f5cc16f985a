package io.github.ratelimit.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Rule;
import io.github.ratelimit.spring.autoconfigure.properties.RuleProperties.Window;
import io.github.ratelimit.spring.diagnostics.RuleText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescribedRulesTest {

    @ParameterizedTest
    @ValueSource(strings = {"2d", "25h", "90m", "61s", "1500ms"})
    void windowIsShownAsPropertiesTakeIt(String window) {
        Limit limit = Limit.of("any", 1, requireNonNull(Window.valueOf(window).length()));
        assertThat(RuleText.line(Rule.of(limit, KeyResolver.everybody())))
                .isEqualTo("any: 1 in %s by everybody", window);
    }
}
