package io.github.ratelimit.content.cms.item;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Publishes items when their time comes.
 *
 * <p>What is due is asked of the database each time, so nothing is forgotten while the server is down, and several
 * servers may look at once.
 */
@Component
@EnableScheduling
class DuePublisher {
    private static final Logger log = LoggerFactory.getLogger(DuePublisher.class);
    private static final int AT_ONCE = 100;

    private final ItemWriter writer;

    DuePublisher(ItemWriter writer) {
        this.writer = writer;
    }

    @Scheduled(fixedDelayString = "${content-api.publish-interval:1s}")
    void publishDue() {
        int published;
        do {
            published = writer.publishDue(AT_ONCE);
            if (published > 0) {
                log.debug("published {} items that were due", published);
            }
        } while (published == AT_ONCE);
    }
}
