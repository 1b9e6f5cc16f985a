package io.github.ratelimit.content.shared.health;

import java.util.List;
import java.util.Locale;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

/** Tells how far the indexes are. One that fails is made anew by itself, but a disk that is full, or files that cannot be read, keep it from that. */
@Component
final class IndexesHealthIndicator extends AbstractHealthIndicator {
    private final List<IndexState> indexes;

    IndexesHealthIndicator(List<IndexState> indexes) {
        super("the indexes cannot be asked");
        this.indexes = indexes;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.up();
        for (IndexState index : indexes) {
            IndexState.State state = index.indexState();
            health.withDetail(index.indexName(), state.name().toLowerCase(Locale.ROOT));
            if (state == IndexState.State.FAILING) {
                health.down();
            }
        }
    }
}
