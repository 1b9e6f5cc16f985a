package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.rest.PartLimits;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.time.InstantSource;
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
        return new PartLimits(file + UploadReader.MOST_BESIDE, uploads.incoming());
    }
}
