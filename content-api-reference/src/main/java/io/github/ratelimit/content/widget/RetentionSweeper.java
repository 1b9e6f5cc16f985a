package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.container.EachByItself;
import io.github.ratelimit.content.shared.storage.Pieces;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Erases conversations, and ratings that belong to none, when their time is over, with all that is in them; and kept answers when theirs is. */
@Component
class RetentionSweeper {

    private static final Logger log = LoggerFactory.getLogger(RetentionSweeper.class);

    /** Chosen: no statement of a sweep works for long, and no transaction holds many rows. */
    private static final int AT_A_TIME = 200;

    /** Chosen: how many a statement looks at for those in which nothing was said; some milliseconds. */
    static final int LOOKED_AT = 1000;

    private final InstantSource clock;
    private final ConversationStore store;
    private final Conversations conversations;
    private final RepeatedRequests repeated;
    private final WidgetSettings.Retention settings;

    /** Chosen: a clock that was ahead, and an erasure that ended in between, are made good within two days. */
    private static final Duration LOOKED_AT_ANEW = Duration.ofDays(1);

    /** In those before it something was said, which stays so. */
    private Instant lookedUpTo = Instant.EPOCH;

    private Instant beganAt = Instant.EPOCH;

    RetentionSweeper(
            InstantSource clock,
            ConversationStore store,
            Conversations conversations,
            RepeatedRequests repeated,
            WidgetSettings settings) {
        this.repeated = repeated;
        this.clock = clock;
        this.store = store;
        this.conversations = conversations;
        this.settings = settings.widget().retention();
    }

    @Scheduled(initialDelay = 2, fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void sweep() {
        int erased = sweepAll();
        if (erased > 0) {
            log.info("erased {} conversations and ratings whose time was over", erased);
        }
    }

    /**
     * Erases all whose time is over; returns how many there were.
     *
     * @throws RuntimeException that of the first step or erasure that failed, when all others are done
     */
    synchronized int sweepAll() {
        Instant now = clock.instant();
        Instant last = now.minus(settings.conversations());
        return all(
                () -> store.deleteLooseRatings(last),
                () -> store.deleteLooseCoupons(last),
                () -> eraseOver(last),
                () -> eraseSilent(now),
                () -> {
                    repeated.forgetOver();
                    return 0;
                });
    }

    private static int all(IntSupplier... steps) {
        EachByItself each = new EachByItself();
        int erased = 0;
        for (IntSupplier step : steps) {
            erased += each.of(step, step);
        }
        each.requireDone();
        return erased;
    }

    private int eraseOver(Instant last) {
        EachByItself each = new EachByItself();
        int erased = Pieces.deleteAll(
                () -> count(each, store.over(last, AT_A_TIME), id -> conversations.eraseIfOver(id, last)));
        each.requireDone();
        return erased;
    }

    private int eraseSilent(Instant now) {
        Instant last = now.minus(settings.silent());
        if (Duration.between(beganAt, now).abs().compareTo(LOOKED_AT_ANEW) >= 0) {
            beganAt = now;
            lookedUpTo = Instant.EPOCH;
        }
        EachByItself each = new EachByItself();
        int erased = 0;
        while (lookedUpTo.isBefore(last)) {
            Instant end =
                    store.endOfPart(lookedUpTo, LOOKED_AT).filter(last::isAfter).orElse(last);
            erased += count(each, store.silent(lookedUpTo, end), conversations::eraseIfSilent);
            lookedUpTo = end;
        }
        each.requireDone();
        return erased;
    }

    private static int count(EachByItself each, List<UUID> over, Predicate<UUID> erase) {
        return over.stream()
                .mapToInt(id -> each.of(id, () -> erase.test(id) ? 1 : 0))
                .sum();
    }
}
