package io.github.ratelimit.spring.live;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Serves the live page to MVC applications. Frames are written on threads of its own, so that a slow browser holds up nobody else. */
@RestController
class MvcLiveController extends LiveController {

    private final LiveFeed feed;
    private final ExecutorService threads;

    MvcLiveController(LivePage page, LiveFeed feed) {
        super(page);
        this.feed = feed;
        CustomizableThreadFactory daemons = new CustomizableThreadFactory("ratelimit-live-");
        daemons.setDaemon(true);
        this.threads = Executors.newCachedThreadPool(daemons);
    }

    /** Called by Spring when the application has stopped. */
    public void close() {
        threads.shutdown();
    }

    @GetMapping("/events")
    public ResponseEntity<SseEmitter> events() {
        SseEmitter emitter = new SseEmitter(LIFETIME.toMillis());
        Browser browser = new Browser(emitter);
        emitter.onTimeout(emitter::complete); // else it would end as a failure of the application
        emitter.onCompletion(() -> feed.leave(browser));
        return feed.join(browser) ? stream().body(emitter) : full();
    }

    /** One browser. It misses a frame while the one before is still on its way; the container leaves one that takes nothing. */
    private final class Browser implements LiveFeed.Watcher {

        private final SseEmitter emitter;
        private final AtomicBoolean sending = new AtomicBoolean();

        Browser(SseEmitter emitter) {
            this.emitter = emitter;
        }

        @Override
        public void offer(String frame) {
            if (sending.compareAndSet(false, true)) {
                threads.execute(() -> send(frame));
            }
        }

        private void send(String frame) {
            try {
                emitter.send(SseEmitter.event().reconnectTime(RETRY.toMillis()).data(frame, MediaType.TEXT_PLAIN));
            } catch (IOException | IllegalStateException e) {
                feed.leave(this); // the browser is gone
            } finally {
                sending.set(false);
            }
        }

        @Override
        public void end() {
            threads.execute(emitter::complete); // waits for a frame that is on its way
        }
    }
}
