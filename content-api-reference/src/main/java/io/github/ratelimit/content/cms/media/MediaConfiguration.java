package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.image.ImageLimits;
import io.github.ratelimit.content.cms.media.image.Pictures;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.rest.PartLimits;
import io.github.ratelimit.content.shared.limit.Quota;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletOrigin;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts together what uploads need. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MediaProperties.class)
class MediaConfiguration {

    /** What may stand beside a file. Chosen: as much as any body of arguments may hold, and the lines around the parts. */
    private static final long FIELDS_BYTES = 2 << 20;

    @Bean
    UploadStore uploadStore(InstantSource clock, @Value("${content-api.data-dir:./data}") Path dataDirectory) {
        return new UploadStore(clock, dataDirectory.resolve("uploads"));
    }

    /** One setting bounds uploads in either form. */
    @Bean
    PartLimits partLimits(MediaProperties properties) {
        long file = properties.maxUploadSize().toBytes();
        return new PartLimits(file, file + FIELDS_BYTES);
    }

    /** How many bytes an account may upload. */
    @Bean
    Quota uploadQuota(
            HttpRateLimiter limiters, ServletOrigin origin, @Value("${ratelimit.enabled:true}") boolean enabled) {
        return new Quota("uploads", limiters, origin, enabled);
    }

    @Bean
    Pictures pictures(MediaProperties properties) {
        return new Pictures(ImageLimits.usual(), properties.maxEditedPixels());
    }
}
