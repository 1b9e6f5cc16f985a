package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PageCacheTest {

    private static final PageCache.Key KEY = new PageCache.Key("page", "http://site.test", "/?p=1");
    private static final PageCache.Page PAGE = () -> 5;

    private final AtomicLong nanos = new AtomicLong();
    private final PageCache cache = new PageCache(nanos::get, 1 << 20, Duration.ofSeconds(30));

    @Test
    void findsWhatWasStoredUntilItIsOld() {
        assertThat(cache.find(KEY)).isEmpty();
        cache.begin(KEY, Set.of()).store(PAGE);
        assertThat(cache.find(KEY)).contains(PAGE);

        nanos.addAndGet(Duration.ofSeconds(31).toNanos());

        assertThat(cache.find(KEY)).isEmpty();
        assertThat(cache.hits()).isEqualTo(1);
        assertThat(cache.misses()).isEqualTo(2);
    }

    @Test
    void purgesByTag() {
        PageCache.Key other = new PageCache.Key("page", "http://site.test", "/?p=2");
        cache.begin(KEY, Set.of("/?p=1")).store(PAGE);
        cache.begin(other, Set.of("/?p=2")).store(PAGE);

        cache.purge("/?p=1");

        assertThat(cache.peek(KEY)).isEmpty();
        assertThat(cache.peek(other)).contains(PAGE);
        cache.purge(PageCache.CONTENT);
        assertThat(cache.peek(other)).isEmpty();
    }

    @Test
    void whatWasLoadedBeforeAWriteIsNeverSeenAfterIt() {
        PageCache.Loading slow = cache.begin(KEY, Set.of());
        cache.purge(PageCache.CONTENT);

        slow.store(PAGE);

        assertThat(cache.find(KEY)).isEmpty();
    }

    @Test
    void staysWithinItsMemory() {
        PageCache.Page large = () -> 200_000;
        for (int i = 0; i < 1000; i++) {
            cache.begin(new PageCache.Key("page", "http://site.test", "/?p=" + i), Set.of())
                    .store(large);
        }
        assertThat(cache.size()).isLessThanOrEqualTo(5);
    }
}
