package io.github.ratelimit.content.widget;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.MimeTypeUtils;
import tools.jackson.databind.json.JsonMapper;

/**
 * Server-sent events as the answer to one request, written by the thread that serves it.
 *
 * <p>A client that leaves stops nothing: what it asked for is done and stored, and is there when it comes back.
 */
final class EventStream {

    private static final Logger log = LoggerFactory.getLogger(EventStream.class);

    private final HttpServletResponse response;
    private final JsonMapper mapper;
    private boolean begun;
    private boolean left;

    EventStream(HttpServletResponse response, JsonMapper mapper) {
        this.response = response;
        this.mapper = mapper;
    }

    /** Tells whether a request accepts events, and accepts them before JSON. */
    static boolean isPreferred(HttpServletRequest request) {
        try {
            List<MediaType> accepted =
                    MediaType.parseMediaTypes(Collections.list(request.getHeaders(HttpHeaders.ACCEPT)));
            MimeTypeUtils.sortBySpecificity(accepted);
            for (MediaType type : accepted) {
                if (type.getQualityValue() > 0 && type.equalsTypeAndSubtype(MediaType.TEXT_EVENT_STREAM)) {
                    return true;
                }
                if (type.getQualityValue() > 0 && type.includes(MediaType.APPLICATION_JSON)) {
                    return false;
                }
            }
        } catch (IllegalArgumentException e) {
            // Spring refuses the request with 406 when it looks for a form of the answer.
            return false;
        }
        return false;
    }

    boolean isBegun() {
        return begun;
    }

    /** Sends an event whose data is JSON, which has no line breaks. */
    void send(String name, Object data) {
        if (!begun) {
            begun = true;
            response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
            response.setCharacterEncoding(StandardCharsets.UTF_8.name());
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            // Proxies that collect an answer before they pass it on are asked not to.
            response.setHeader("X-Accel-Buffering", "no");
        }
        if (left) {
            return;
        }
        String event = "event: " + name + "\ndata: " + mapper.writeValueAsString(data) + "\n\n";
        try {
            response.getOutputStream().write(event.getBytes(StandardCharsets.UTF_8));
            response.flushBuffer();
        } catch (IOException e) {
            left = true;
            log.debug("the reader of an answer is gone", e);
        }
    }
}
