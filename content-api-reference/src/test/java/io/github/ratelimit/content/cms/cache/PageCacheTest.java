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
        cache.begin(KEY).store(PAGE, Set.of());
        assertThat(cache.find(KEY)).contains(PAGE);

        nanos.addAndGet(Duration.ofSeconds(31).toNanos());

        assertThat(cache.find(KEY)).isEmpty();
        assertThat(cache.hits()).isEqualTo(1);
        assertThat(cache.misses()).isEqualTo(2);
    }

    @Test
    void purgesByTag() {
        PageCache.Key other = new PageCache.Key("page", "http://site.test", "/?p=2");
        cache.begin(KEY).store(PAGE, Set.of("item 1"));
        cache.begin(other).store(PAGE, Set.of("item 2"));

        cache.changed(Set.of("item 1", "item 3"));

        assertThat(cache.peek(KEY)).isEmpty();
        assertThat(cache.peek(other)).contains(PAGE);
        cache.changed(Set.of(PageCache.CONTENT));
        assertThat(cache.peek(other)).isEmpty();
    }

    @Test
    void whatWasLoadedBeforeAWriteIsNeverSeenAfterIt() {
        PageCache.Loading slow = cache.begin(KEY);
        cache.changed(Set.of(PageCache.CONTENT));

        slow.store(PAGE, Set.of());

        assertThat(cache.find(KEY)).isEmpty();
    }

    @Test
    void whatItDependsOnCountsFromWhenItsLoadingBegan() {
        PageCache.Loading slow = cache.begin(KEY);
        cache.changed(Set.of("item 1"));
        slow.store(PAGE, Set.of("item 1"));
        assertThat(cache.find(KEY)).isEmpty();

        slow.store(PAGE, Set.of("item 2"));
        assertThat(cache.find(KEY)).contains(PAGE);
        cache.begin(KEY).store(PAGE, Set.of("item 1"));
        assertThat(cache.find(KEY)).contains(PAGE);
    }

    @Test
    void onlyWhatMetSomethingIsAPurge() {
        cache.begin(KEY).store(PAGE, Set.of("item 1"));
        cache.changed(Set.of("item 2"));
        assertThat(cache.purges()).isZero();
        cache.changed(Set.of("item 1"));
        cache.changed(Set.of("item 1"));
        assertThat(cache.purges()).isEqualTo(1);
    }

    @Test
    void staysWithinItsMemory() {
        PageCache.Page large = () -> 200_000;
        for (int i = 0; i < 1000; i++) {
            cache.begin(new PageCache.Key("page", "http://site.test", "/?p=" + i))
                    .store(large, Set.of());
        }
        assertThat(cache.size()).isLessThanOrEqualTo(5);
    }
}
