package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PageCacheTest {
    private static final PageCache.Page PAGE = () -> 5;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong generation = new AtomicLong();
    private final PageCache cache = new PageCache(generation::get, nanos::get, 1 << 20, Duration.ofSeconds(30));

    private PageCache.Key key(int id) {
        return cache.key("page", "http://site.test", "/?p=" + id);
    }

    @Test
    void findsWhatWasStoredUntilItIsOld() {
        assertThat(cache.find(key(1))).isEmpty();
        cache.put(key(1), PAGE);
        assertThat(cache.find(key(1))).contains(PAGE);
        assertThat(cache.find(key(2))).isEmpty();

        nanos.addAndGet(Duration.ofSeconds(31).toNanos());

        assertThat(cache.find(key(1))).isEmpty();
    }

    @Test
    void whatWasLoadedBeforeACommitIsNeverFoundAfterIt() {
        PageCache.Key slow = key(1);
        generation.incrementAndGet();

        cache.put(slow, PAGE);

        assertThat(cache.find(key(1))).isEmpty();
    }

    @Test
    void staysWithinItsMemory() {
        for (int i = 0; i < 1000; i++) {
            cache.put(key(i), () -> 200_000);
        }
        assertThat(cache.size()).isLessThanOrEqualTo(5);
    }
}
