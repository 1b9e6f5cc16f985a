package io.github.ratelimit.content.shared.storage;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps what is noted within a transaction until it ends. What is noted in a transaction of its own within another one belongs to that one alone. Safe
 * for concurrent use.
 *
 * @param <T> what is noted; two that are equal are one
 */
public final class TransactionNotes<T> {
    private final Consumer<Set<T>> beforeCommit;
    private final Consumer<Set<T>> afterCommit;

    /**
     * Creates one.
     *
     * @param beforeCommit gets all that was noted until then, as the last of the transaction
     * @param afterCommit gets all that was noted, once others may see what was committed; also where nobody knows whether it was
     */
    public TransactionNotes(Consumer<Set<T>> beforeCommit, Consumer<Set<T>> afterCommit) {
        this.beforeCommit = beforeCommit;
        this.afterCommit = afterCommit;
    }

    /**
     * Notes something in the transaction of this thread.
     *
     * @param things any
     * @return false where there is no transaction, and nothing was noted
     */
    public boolean add(Collection<T> things) {
        if (!TransactionSynchronizationManager.isSynchronizationActive()) {
            return false;
        }
        Noted noted = noted();
        if (noted == null) {
            noted = new Noted();
            TransactionSynchronizationManager.registerSynchronization(noted);
            noted.resume();
        }
        noted.things.addAll(things);
        return true;
    }

    /**
     * Tells what was noted in the transaction of this thread.
     *
     * @return nothing where there is none
     */
    public Set<T> things() {
        Noted noted = noted();
        return noted == null ? Set.of() : Set.copyOf(noted.things);
    }

    @SuppressWarnings("unchecked") // Bound below, and by nobody else.
    private @Nullable Noted noted() {
        return (Noted) TransactionSynchronizationManager.getResource(this);
    }

    private final class Noted implements TransactionSynchronization {
        private final Set<T> things = new LinkedHashSet<>();

        @Override
        public void resume() {
            TransactionSynchronizationManager.bindResource(TransactionNotes.this, this);
        }

        @Override
        public void suspend() {
            TransactionSynchronizationManager.unbindResource(TransactionNotes.this);
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            beforeCommit.accept(things);
        }

        @Override
        public void afterCompletion(int status) {
            suspend();
            if (status != STATUS_ROLLED_BACK) {
                afterCommit.accept(things);
            }
        }
    }
}
