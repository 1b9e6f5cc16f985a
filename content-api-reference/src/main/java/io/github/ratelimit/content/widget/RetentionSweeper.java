package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.settings.WidgetSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Deletes conversations and ratings after their retention. */
@Component
class RetentionSweeper {
    // Chosen: a transaction of this size never blocks other writers for long.
    private static final int AT_A_TIME = 200;

    // Chosen: twice the life of a token.
    private static final Duration UNUSED = Duration.ofDays(2);

    private final InstantSource clock;
    private final ConversationStore store;
    private final WidgetSettings settings;

    RetentionSweeper(InstantSource clock, ConversationStore store, WidgetSettings settings) {
        this.clock = clock;
        this.store = store;
        this.settings = settings;
    }

    @Scheduled(initialDelay = 2, fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void sweep() {
        store.deleteOldRatings(before(settings.widget().retention()));
        delete(true, before(settings.widget().retention()));
        delete(false, before(UNUSED));
    }

    private OffsetDateTime before(Duration age) {
        return clock.instant().minus(age).atOffset(ZoneOffset.UTC);
    }

    private void delete(boolean used, OffsetDateTime last) {
        int deleted;
        do {
            deleted = store.deleteOld(used, last, AT_A_TIME);
        } while (deleted == AT_A_TIME);
    }
}
