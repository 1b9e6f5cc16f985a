package io.github.ratelimit.spring.live;

import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;

/** Serves what MVC and WebFlux serve alike: the files, and how a stream of frames begins. */
@RequestMapping("${ratelimit.live.path:" + LiveProperties.PATH + "}")
abstract class LiveController {

    /** How long one connection lasts; the browser connects again by itself, and is authenticated again. Chosen: short enough for that. */
    static final Duration LIFETIME = Duration.ofMinutes(15);

    /** After how long a browser comes back. */
    static final Duration RETRY = Duration.ofSeconds(1);

    private final LivePage page;

    LiveController(LivePage page) {
        this.page = page;
    }

    @GetMapping
    public ResponseEntity<byte[]> page() {
        return page.file("live.html", "html");
    }

    @GetMapping("/")
    public ResponseEntity<byte[]> slash() {
        return page.redirect();
    }

    @GetMapping("/live.css")
    public ResponseEntity<byte[]> style() {
        return page.file("live.css", "css");
    }

    @GetMapping("/live.js")
    public ResponseEntity<byte[]> script() {
        return page.file("live.js", "javascript");
    }

    @GetMapping("/theme.js")
    public ResponseEntity<byte[]> theme() {
        return page.file("theme.js", "javascript");
    }

    static ResponseEntity.BodyBuilder stream() {
        return ResponseEntity.ok()
                .contentType(MediaType.TEXT_EVENT_STREAM)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Accel-Buffering", "no"); // asks proxies not to collect frames
    }

    /** For whom there is no room. */
    static <T> ResponseEntity<T> full() {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, "10")
                .build();
    }
}
