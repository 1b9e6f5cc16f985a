package io.github.ratelimit.content.cms.item;

import io.github.ratelimit.content.shared.storage.ChangeListener;
import io.github.ratelimit.content.shared.storage.Parts;
import io.github.ratelimit.content.shared.storage.Pieces;
import io.github.ratelimit.content.shared.storage.TransactionNotes;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The items that changed, transaction by transaction, and what else did of which answers are kept, for whatever follows them: on this server and on others.
 *
 * <p>Each transaction has a revision, one higher than the one before, and is seen in that order. Safe for concurrent use.
 */
@Component
class ItemLog implements ChangeListener {
    /** Chosen: who is further behind reads everything anew, which takes hardly longer. */
    private static final long KEPT = 100_000;

    /** Chosen: of more than some dozens of parts nobody is told which ones they are. */
    private static final int MOST_TOLD = 1_000;

    /** Stands for the items of a transaction that changes none. */
    private static final long NO_ITEM = 0;

    private static final Set<String> SHOWN = Set.of("item", "item_term", "term", "account", Parts.ANY);

    private static final Logger log = LoggerFactory.getLogger(ItemLog.class);

    private final String server = UUID.randomUUID().toString();
    private final JdbcClient jdbc;
    private final Parts parts;
    private final TransactionTemplate transaction;
    private final TransactionNotes<Long> noted = new TransactionNotes<>(items -> {}, items -> {});

    ItemLog(JdbcClient jdbc, Parts parts, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.parts = parts;
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
     * What a transaction changed, for those who keep what is made of it.
     *
     * @param revision of the transaction
     * @param isOwn whether it was one of this server
     * @param parts as {@link Parts} names them
     */
    record Told(long revision, boolean isOwn, Set<String> parts) {}

    /**
     * Notes that items change in this transaction. Nobody sees it before the transaction is committed.
     *
     * @param items ids
     */
    void changed(Collection<Long> items) {
        if (items.isEmpty()) {
            return;
        }
        if (noted.add(items)) {
            parts.changed(Set.of()); // so that the commit is announced
        } else {
            transaction.executeWithoutResult(status -> changed(items));
        }
    }

    @Override
    public void changed(Set<String> told) {
        // Known before the commit.
    }

    @Override
    public void committing(Set<String> changed) {
        Set<Long> items = noted.things();
        List<String> shown = changed.stream().filter(ItemLog::isShown).sorted().toList();
        if (items.isEmpty() && shown.isEmpty()) {
            return;
        }
        String text = String.join("\n", shown);
        String told = text.length() > MOST_TOLD ? Parts.ANY : text;
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            write(items, told);
        } else {
            writeAlone(items, told);
        }
    }

    /** What is stored already did not fail because others are not told: they keep what they have for as long as they keep anything. */
    private void writeAlone(Set<Long> items, String told) {
        try {
            transaction.executeWithoutResult(status -> write(items, told));
        } catch (DataAccessException | TransactionException notTold) {
            log.warn("other servers are not told of a change: {}", notTold.toString());
        }
    }

    /** What others keep is made of these tables. */
    private static boolean isShown(String part) {
        int end = part.indexOf(' ');
        return SHOWN.contains(end < 0 ? part : part.substring(0, end));
    }

    /** The last statements of a transaction: the row is held for no longer than it takes to commit. */
    private void write(Set<Long> items, String told) {
        // Whoever changed the items tells what else of them is changed.
        parts.only(List.of(), () -> written(items.isEmpty() ? Set.of(NO_ITEM) : items, told));
    }

    private int written(Set<Long> items, String told) {
        jdbc.sql("update item_revision set revision = revision + 1 where id = 1")
                .update();
        return jdbc.sql(
                        "insert into item_change (revision, item_id, server, parts)"
                                + " select r.revision, c.item_id, cast(? as varchar), case when c.item_id = ? then cast(? as varchar) end"
                                + " from item_revision r cross join unnest(cast(? as bigint array)) as c (item_id) where r.id = 1")
                .params(Arrays.asList(
                        server,
                        Collections.min(items),
                        told,
                        items.stream().sorted().toArray(Long[]::new)))
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

    /**
     * Tells what was changed after a revision, each transaction once.
     *
     * @param revision that is known
     * @param most how many transactions at once
     * @return in the order of the revisions; those of servers that do not tell are missing
     */
    List<Told> toldAfter(long revision, int most) {
        return jdbc.sql("select revision, server, parts from item_change where revision > ? and parts is not null"
                        + " order by revision, item_id fetch first ? rows only")
                .params(revision, most)
                .query((row, number) -> new Told(
                        row.getLong(1),
                        server.equals(row.getString(2)),
                        row.getString(3).lines().collect(Collectors.toSet())))
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
