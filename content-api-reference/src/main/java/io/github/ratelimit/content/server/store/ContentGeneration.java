package io.github.ratelimit.content.server.store;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Counts the commits that change public content. A cached answer is valid for one number.
 *
 * <p>The number is a row of the database. This server knows its own commits at once, and those of others after the next poll.
 * Safe for concurrent use.
 */
@Component
public final class ContentGeneration {
    private static final Logger log = LoggerFactory.getLogger(ContentGeneration.class);

    private final JdbcClient jdbc;
    private final AtomicLong known = new AtomicLong();

    ContentGeneration(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Returns the number as far as this server knows it. Read it before the content that an answer is made of.
     *
     * @return never less than before
     */
    public long number() {
        return known.get();
    }

    /**
     * Raises the number with the commit of the current transaction: a reader that sees the new number sees the write, too.
     *
     * @throws IllegalStateException without a transaction
     */
    public void raise() {
        if (TransactionSynchronizationManager.getSynchronizations().stream().noneMatch(Raise.class::isInstance)) {
            TransactionSynchronizationManager.registerSynchronization(new Raise());
        }
    }

    /** Learns of the commits of other servers. */
    @Scheduled(fixedDelayString = "${content-api.publish-interval:1s}")
    public void poll() {
        try {
            know(jdbc.sql("select number from content_generation where id = 1")
                    .query(Long.class)
                    .single());
        } catch (DataAccessException e) {
            log.debug("the generation of the content could not be read; the next poll tries again", e);
        }
    }

    private void know(long number) {
        known.accumulateAndGet(number, Math::max);
    }

    /** Belongs to one transaction. */
    private final class Raise implements TransactionSynchronization {
        private long number;

        @Override
        public void beforeCommit(boolean readOnly) {
            GeneratedKeyHolder raised = new GeneratedKeyHolder();
            jdbc.sql("update content_generation set number = number + 1 where id = 1")
                    .update(raised, "number");
            number = Objects.requireNonNull(raised.getKey()).longValue();
        }

        @Override
        public void afterCompletion(int status) {
            if (status != STATUS_ROLLED_BACK) {
                know(number);
            }
        }
    }
}
