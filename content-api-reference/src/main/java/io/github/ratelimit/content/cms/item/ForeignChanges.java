package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.shared.storage.ChangeListener;
import io.github.ratelimit.content.shared.storage.Parts;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tells what other servers change in the same database, so that this one keeps no answer made of it. Asks by itself and from time to time, so that no
 * request costs a statement more. Safe for concurrent use.
 */
@Component
public final class ForeignChanges {
    private static final Logger log = LoggerFactory.getLogger(ForeignChanges.class);
    private static final long NOTHING = -1;

    /** Chosen: read at once. */
    private static final int MOST_CHANGES = 1_000;

    private final ItemLog changes;
    private final ObjectProvider<ChangeListener> listeners;
    private long seen = NOTHING;

    ForeignChanges(ItemLog changes, ObjectProvider<ChangeListener> listeners) {
        this.changes = changes;
        this.listeners = listeners;
    }

    @Scheduled(fixedDelayString = "${content-api.publish-interval:1s}")
    void keepUp() {
        try {
            follow();
        } catch (DataAccessException notNow) {
            log.debug("what other servers changed could not be read; will try again", notNow);
        }
    }

    /** Reads what was changed since the last time, and tells it. */
    public synchronized void follow() {
        if (seen == NOTHING) {
            // Before it is told: what is read behind this is as new as that.
            seen = changes.revision();
            tell(Set.of(Parts.ANY));
        }
        List<ItemLog.Told> next;
        do {
            next = changes.toldAfter(seen, MOST_CHANGES);
            for (ItemLog.Told change : next) {
                if (change.revision() != seen + 1) {
                    tell(Set.of(Parts.ANY)); // one between them was not told
                } else if (!change.isOwn()) {
                    tell(change.parts());
                }
                seen = change.revision();
            }
        } while (next.size() == MOST_CHANGES);
    }

    private void tell(Set<String> parts) {
        listeners.forEach(listener -> listener.changed(parts));
    }
}
