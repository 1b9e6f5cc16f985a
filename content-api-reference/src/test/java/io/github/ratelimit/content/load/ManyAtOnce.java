package io.github.ratelimit.content.load;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Several who do the same at once, each from a thread of its own. */
final class ManyAtOnce implements Attack {
    private final List<RequestsOneAfterTheOther> all;

    /** @param all at least one; its name is that of all */
    ManyAtOnce(List<RequestsOneAfterTheOther> all) {
        this.all = List.copyOf(all);
    }

    @Override
    public void until(BooleanSupplier isOver) {
        List<Thread> threads =
                all.stream().map(one -> new Thread(() -> one.until(isOver))).toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public String name() {
        return all.get(0).name();
    }

    @Override
    public long requests() {
        return all.stream().mapToLong(Attack::requests).sum();
    }

    @Override
    public long bytes() {
        return all.stream().mapToLong(Attack::bytes).sum();
    }

    @Override
    public boolean isMade() {
        return all.stream().allMatch(Attack::isMade);
    }

    @Override
    public String answers() {
        Map<Integer, Integer> together = new TreeMap<>();
        all.forEach(one -> one.statuses().forEach((status, times) -> together.merge(status, times, Integer::sum)));
        return together.toString();
    }
}
