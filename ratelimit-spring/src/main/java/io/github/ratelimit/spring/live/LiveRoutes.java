package io.github.ratelimit.spring.live;

import java.net.URI;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/** Serves the live page to WebFlux applications. Blocks no thread; a slow browser misses frames. */
public final class LiveRoutes {

    private LiveRoutes() {}

    /** Routes for the page, its files and its frames. */
    public static RouterFunction<ServerResponse> of(LivePage page, LiveFeed feed) {
        RouterFunctions.Builder routes = RouterFunctions.route()
                .GET(
                        RequestPredicates.path(page.path() + "/"),
                        request -> answer(HttpStatus.FOUND)
                                .location(URI.create(page.fromBelow()))
                                .build())
                .GET(page.path() + LivePage.EVENTS, request -> frames(feed));
        for (String below : page.names()) {
            LivePage.File file = page.file(below).orElseThrow();
            routes.GET(page.path() + below, request -> send(file, request));
        }
        return routes.build();
    }

    private static ServerResponse.BodyBuilder answer(HttpStatus status) {
        return ServerResponse.status(status)
                .headers(headers -> LivePage.fields().forEach(headers::set));
    }

    private static Mono<ServerResponse> send(LivePage.File file, ServerRequest request) {
        boolean isKnown = request.headers().header(HttpHeaders.IF_NONE_MATCH).contains(file.tag());
        ServerResponse.BodyBuilder answer =
                answer(isKnown ? HttpStatus.NOT_MODIFIED : HttpStatus.OK).eTag(file.tag());
        return isKnown
                ? answer.build()
                : answer.contentType(MediaType.parseMediaType(file.type())).bodyValue(file.content());
    }

    private static Mono<ServerResponse> frames(LiveFeed feed) {
        if (!feed.isOpen()) {
            return answer(HttpStatus.SERVICE_UNAVAILABLE)
                    .header(HttpHeaders.RETRY_AFTER, LivePage.RETRY_AFTER)
                    .build();
        }
        Flux<byte[]> frames = Flux.create(sink -> watch(feed, sink), FluxSink.OverflowStrategy.LATEST);
        Flux<byte[]> bounded = frames.take(Duration.ofMillis(LivePage.LIFETIME_MILLIS));
        return answer(HttpStatus.OK)
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Accel-Buffering", "no") // asks proxies not to collect frames
                .body((response, context) -> written(response, bounded));
    }

    /** The bytes as they are, each frame at once: they are written once for all watchers. */
    private static Mono<Void> written(ServerHttpResponse response, Flux<byte[]> frames) {
        return response.writeAndFlushWith(
                frames.map(frame -> Mono.just(response.bufferFactory().wrap(frame))));
    }

    private static void watch(LiveFeed feed, FluxSink<byte[]> sink) {
        LiveFeed.Watcher watcher = new LiveFeed.Watcher() {
            @Override
            public boolean offer(byte[] event) {
                sink.next(event);
                return !sink.isCancelled();
            }

            @Override
            public void end() {
                sink.complete();
            }
        };
        sink.onDispose(() -> feed.leave(watcher));
        if (!feed.join(watcher)) {
            sink.complete();
        }
    }
}
