package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.shared.storage.Pieces;
import io.github.ratelimit.content.shared.storage.TransactionNotes;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The items that changed, transaction by transaction, and what else did of which answers are kept, for whatever follows them: on this server and on others.
 *
 * <p>Each transaction has a revision, one higher than the one before, and is seen in that order. Safe for concurrent use.
 */
@Component
class ItemLog {
    /** Chosen: more than a server misses that is away for a while; one that misses more reads all items. */
    private static final long KEPT = 100_000;

    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;
    private final TransactionNotes<Long> noted = new TransactionNotes<>(this::write, items -> {});

    ItemLog(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactions);
    }

    /**
     * A changed item.
     *
     * @param revision of the transaction
     * @param item its id; the item may be gone, and where none was changed there is none of this id
     */
    record Change(long revision, long item) {}

    /**
     * Notes that items change in this transaction. Nobody sees it before the transaction is committed.
     *
     * @param items ids
     */
    void changed(Collection<Long> items) {
        if (items.isEmpty()) {
            return;
        }
        if (!noted.add(items)) {
            transaction.executeWithoutResult(status -> changed(items));
        }
    }

    /** The last statements of a transaction: the row is held for no longer than it takes to commit. */
    private void write(Set<Long> items) {
        jdbc.sql("update item_revision set revision = revision + 1 where id = 1")
                .update();
        jdbc.sql(
                        "insert into item_change (revision, item_id) select r.revision, c.item_id"
                                + " from item_revision r cross join unnest(cast(? as bigint array)) as c (item_id) where r.id = 1")
                .params(Collections.singletonList(items.toArray(Long[]::new)))
                .update();
    }

    /**
     * Tells how many transactions there were.
     *
     * @return the revision of the last one
     */
    long revision() {
        return jdbc.sql("select revision from item_revision where id = 1")
                .query(Long.class)
                .single();
    }

    /**
     * Lists what changed after a revision.
     *
     * @param revision that is known
     * @param most how many changes at once
     * @return in the order of the revisions; one revision may have several changes
     */
    List<Change> after(long revision, int most) {
        return jdbc.sql("select revision, item_id from item_change where revision > ? order by revision, item_id"
                        + " fetch first ? rows only")
                .params(revision, most)
                .query((row, number) -> new Change(row.getLong(1), row.getLong(2)))
                .list();
    }

    @Scheduled(fixedDelayString = "PT1H", initialDelayString = "PT1H")
    void forgetOldOnes() {
        long last = revision() - KEPT;
        Pieces.deleteAll(() -> jdbc.sql("delete from item_change where revision <= ? and revision <"
                        + " (select min(revision) from item_change) + ?")
                .params(last, Pieces.ROWS)
                .update());
    }
}
