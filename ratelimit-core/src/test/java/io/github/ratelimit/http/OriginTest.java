package io.github.ratelimit.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OriginTest {

    @Test
    void isWhatTheServerSawAndReadsAFieldOnlyWhenAsked() {
        List<String> read = new ArrayList<>();
        Origin origin = Origin.of("203.0.113.7", "//secret/%70ot", name -> {
            read.add(name);
            return List.of(name, "more");
        });
        assertThat(origin.peer()).isEqualTo("203.0.113.7");
        assertThat(origin.target()).isEqualTo("//secret/%70ot");
        assertThat(read).isEmpty();
        assertThat(origin.xForwardedFor()).containsExactly("X-Forwarded-For", "more");
        assertThat(origin.forwarded()).containsExactly("Forwarded", "more");
        assertThat(read).containsExactly("X-Forwarded-For", "Forwarded");
    }
}
