package io.github.ratelimit.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DiagnosticTest {

    private static final String MANUAL = "https://github.com/ratelimit/ratelimit/blob/";

    @Test
    void pageIsThatOfTheVersion() {
        Diagnostic any = Diagnostic.UNTRUSTED_FORWARDING;
        assertThat(any.page()).startsWith(MANUAL).endsWith("/docs/troubleshooting.md#rl-007");
    }
}
