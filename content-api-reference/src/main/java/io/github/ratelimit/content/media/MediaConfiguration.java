package io.github.ratelimit.content.media;

import io.github.ratelimit.content.media.image.ImageLimits;
import io.github.ratelimit.content.media.image.Pictures;
import io.github.ratelimit.content.media.storage.UploadStore;
import jakarta.servlet.MultipartConfigElement;
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

    /** Takes the place of Boot's own, so that one setting bounds uploads in either form. */
    @Bean
    MultipartConfigElement multipartConfigElement(MediaProperties properties) {
        long file = properties.maxUploadSize().toBytes();
        return new MultipartConfigElement("", file, file + FIELDS_BYTES, 0);
    }

    @Bean
    Pictures pictures() {
        return new Pictures(ImageLimits.usual());
    }
}
