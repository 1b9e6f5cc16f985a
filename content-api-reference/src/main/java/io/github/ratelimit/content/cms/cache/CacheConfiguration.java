package io.github.ratelimit.content.cms.cache;

import com.github.benmanes.caffeine.cache.Ticker;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.cms.rest.SiteAddress;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.store.ContentGeneration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Puts the cache together. */
@Configuration(proxyBeanMethods = false)
class CacheConfiguration {

    @Bean
    PageCache pageCache(ContentGeneration generation, TimeSource clock, CmsSettings settings) {
        Ticker ticker = clock::nanoTime;
        return new PageCache(
                generation::number,
                ticker,
                settings.cache().maxSize().toBytes(),
                settings.cache().ttl());
    }

    @Bean
    FilterRegistrationBean<PageCacheFilter> pageCacheFilter(PageCache cache, CmsSettings settings, SiteAddress site) {
        var registration = new FilterRegistrationBean<>(new PageCacheFilter(cache, site));
        registration.setEnabled(settings.cache().enabled());
        registration.addUrlPatterns("/");
        // After limiters and authentication: a kept answer counts against them too.
        registration.setOrder(Ordered.LOWEST_PRECEDENCE - 10);
        return registration;
    }
}
