package io.github.ratelimit.content.shared.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.shared.health.IndexState.State;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

final class IndexesHealthIndicatorTest {
    private record Told(String indexName, State indexState) implements IndexState {}

    @Test
    void oneThatFailsShows() {
        assertThat(health(State.SHOWN, State.FILLING).getStatus()).isEqualTo(Status.UP);

        Health failing = health(State.FAILING, State.SHOWN);

        assertThat(failing.getStatus()).isEqualTo(Status.DOWN);
        assertThat(failing.getDetails()).isEqualTo(Map.of("items", "failing", "documents", "shown"));
    }

    private static Health health(State items, State documents) {
        return new IndexesHealthIndicator(List.of(new Told("items", items), new Told("documents", documents))).health();
    }
}
