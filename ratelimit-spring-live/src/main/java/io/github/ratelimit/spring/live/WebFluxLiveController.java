package io.github.ratelimit.spring.live;

import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;

/** Serves the live page to WebFlux applications. Blocks no thread; a slow browser misses frames. */
@RestController
class WebFluxLiveController extends LiveController {

    private final LiveFeed feed;

    WebFluxLiveController(LivePage page, LiveFeed feed) {
        super(page);
        this.feed = feed;
    }

    @GetMapping("/events")
    public ResponseEntity<Flux<ServerSentEvent<String>>> events() {
        if (!feed.isOpen()) {
            return full();
        }
        Flux<String> frames = Flux.create(this::watch, FluxSink.OverflowStrategy.LATEST);
        return stream()
                .body(frames.take(LIFETIME)
                        .map(frame ->
                                ServerSentEvent.builder(frame).retry(RETRY).build()));
    }

    private void watch(FluxSink<String> sink) {
        LiveFeed.Watcher browser = new LiveFeed.Watcher() {
            @Override
            public void offer(String frame) {
                sink.next(frame);
            }

            @Override
            public void end() {
                sink.complete();
            }
        };
        sink.onDispose(() -> feed.leave(browser));
        if (!feed.join(browser)) {
            sink.complete();
        }
    }
}
