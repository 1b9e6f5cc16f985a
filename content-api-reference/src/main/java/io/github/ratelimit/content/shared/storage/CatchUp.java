package io.github.ratelimit.content.shared.storage;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Brings something up to date, one thread at a time. What that thread brings serves all who wait for as much: they go on together, and nobody does
 * again what was just done. Safe for concurrent use.
 */
public final class CatchUp {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean isAtWork;

    /**
     * Takes steps until there is no need, or waits for another thread that takes them.
     *
     * @param patience how long to wait for another thread at most
     * @param isReached whether there is no need of a step, or no hope; asked often, so it must not ask a database
     * @param step does a part of the work; what it throws ends the work of this thread alone
     * @return whether there is no need of a step any more; otherwise the patience has ended
     */
    public boolean until(Duration patience, BooleanSupplier isReached, Runnable step) {
        if (isReached.getAsBoolean()) {
            return true;
        }
        if (begin(patience, isReached)) {
            try {
                while (!isReached.getAsBoolean()) {
                    step.run();
                }
            } finally {
                end();
            }
        }
        return isReached.getAsBoolean();
    }

    /**
     * Waits for another thread that takes the steps, and takes none.
     *
     * @param patience how long to wait at most
     * @param isReached as above
     * @return as above
     */
    public boolean await(Duration patience, BooleanSupplier isReached) {
        long left = patience.toNanos();
        try {
            lock.lockInterruptibly();
            try {
                while (!isReached.getAsBoolean() && left > 0) {
                    left = changed.awaitNanos(left);
                }
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return isReached.getAsBoolean();
    }

    private boolean begin(Duration patience, BooleanSupplier isReached) {
        long left = patience.toNanos();
        try {
            lock.lockInterruptibly(); // never held for long
            try {
                while (!isReached.getAsBoolean()) {
                    if (!isAtWork) {
                        isAtWork = true;
                        return true;
                    }
                    if (left <= 0) {
                        return false;
                    }
                    left = changed.awaitNanos(left);
                }
                return false;
            } finally {
                lock.unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void end() {
        lock.lock();
        try {
            isAtWork = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
