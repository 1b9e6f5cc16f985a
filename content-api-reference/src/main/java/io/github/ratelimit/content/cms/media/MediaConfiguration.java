package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.image.Pictures;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.rest.PartLimits;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.shared.limit.Quota;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletOrigin;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what uploads need. */
@Configuration(proxyBeanMethods = false)
class MediaConfiguration {

    @Bean
    UploadStore uploadStore(InstantSource clock, CmsSettings settings) {
        return new UploadStore(clock, settings.dataDir().resolve("uploads"));
    }

    /** One setting bounds uploads in either form, and they lie on one disk. */
    @Bean
    PartLimits partLimits(CmsSettings settings, UploadStore uploads) {
        long file = settings.media().maxUploadSize().toBytes();
        return new PartLimits(file, file + UploadReader.MOST_BESIDE, uploads.incoming());
    }

    /** How many bytes an account may upload. */
    @Bean
    Quota uploadQuota(
            HttpRateLimiter limiters, ServletOrigin origin, @Value("${ratelimit.enabled:true}") boolean enabled) {
        return new Quota("uploads", limiters, origin, enabled);
    }

    @Bean
    Pictures pictures() {
        return new Pictures();
    }
}
