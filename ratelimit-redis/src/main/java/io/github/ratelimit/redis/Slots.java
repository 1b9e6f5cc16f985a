package io.github.ratelimit.redis;

import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Which counters of a decision are of one slot, told by their places in it. */
final class Slots {

    private static final int[] FIRST = {0};
    private static final List<int[]> ONE_COUNTER = List.of(FIRST);

    private Slots() {}

    /** All of them, for a server that knows no slots. */
    static List<int[]> all(Counter[] counters) {
        return counters.length == 1
                ? ONE_COUNTER
                : List.of(IntStream.range(0, counters.length).toArray());
    }

    /** Those of each slot, the slots in ascending order: the same order on every node and for every request. */
    static List<int[]> of(Counter[] counters) {
        if (isOne(counters)) {
            return all(counters);
        }
        SortedMap<Integer, List<Integer>> bySlot = new TreeMap<>();
        for (int i = 0; i < counters.length; i++) {
            bySlot.computeIfAbsent(SlotHash.getSlot(counters[i].redisKey()), slot -> new ArrayList<>(2))
                    .add(i);
        }
        return bySlot.values().stream()
                .map(places -> places.stream().mapToInt(Integer::intValue).toArray())
                .toList();
    }

    /** Whether all are of one slot for certain: their keys have the same first part. */
    static boolean isOne(Counter[] counters) {
        for (int i = 1; i < counters.length; i++) {
            if (counters[i].tag() != counters[0].tag()) {
                return false;
            }
        }
        return true;
    }
}
