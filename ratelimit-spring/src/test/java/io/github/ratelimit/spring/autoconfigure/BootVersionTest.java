package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

@Floor
class BootVersionTest {

    /** The build swaps class paths; this says that it did. */
    @Test
    void testsRunOnTheLineTheyAreSaidToRunOn() {
        assertThat(System.getProperty("expectedBootVersion"))
                .as("set by the build; from elsewhere the test runs on whatever is there")
                .isIn(null, SpringBootVersion.getVersion());
    }
}
