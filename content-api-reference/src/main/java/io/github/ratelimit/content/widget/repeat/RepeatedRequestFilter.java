package io.github.ratelimit.content.widget.repeat;

import io.github.ratelimit.content.shared.container.Causes;
import io.github.ratelimit.content.widget.api.ApiError;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Serves a POST with an {@code Idempotency-Key} once, and answers its repetitions as the first time.
 *
 * <p>Behind the limiters: a repetition counts like any other request. The body is not collected; its digest is taken while
 * it is read, and compared when there is something to compare with. Only what succeeded is kept: whatever was refused did
 * nothing, and may be sent again. What was done is told also where it cannot be kept, and is not done again for as long as its
 * first answer might still be on its way.
 */
final class RepeatedRequestFilter extends OncePerRequestFilter {

    /** What a client sends. */
    static final String KEY_FIELD = "Idempotency-Key";

    /** Tells a repeated answer from a first one. */
    static final String REPLAYED_FIELD = "Idempotency-Replayed";

    private static final Logger log = LoggerFactory.getLogger(RepeatedRequestFilter.class);

    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");
    // As much as the largest body of any surface, and a little more.
    private static final long MOST_READ = 17L * 1024 * 1024;
    private static final int CHUNK = 8192;

    private final RepeatedRequests requests;
    private final ClientAddress addresses;
    private final ServletOrigin origin;
    private final JsonMapper mapper;

    RepeatedRequestFilter(RepeatedRequests requests, ClientAddress addresses, ServletOrigin origin, JsonMapper mapper) {
        this.requests = requests;
        this.addresses = addresses;
        this.origin = origin;
        this.mapper = mapper;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !request.getMethod().equals("POST") || request.getHeader(KEY_FIELD) == null;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        List<String> keys = Collections.list(request.getHeaders(KEY_FIELD));
        if (keys.size() != 1 || !KEY.matcher(keys.get(0)).matches()) {
            refuse(response, invalid("must be 1 to 255 visible ASCII characters, once"));
            return;
        }
        RepeatedRequests.Id id = id(request, keys.get(0));
        RepeatedRequests.Begun begun = requests.begin(id);
        var read = new DigestedRequest(request);
        if (begun.turn() != null) {
            serve(begun.turn(), read, response, chain);
        } else if (begun.kept() == null) {
            refuse(
                    response,
                    ApiException.of(
                            HttpStatus.CONFLICT,
                            "request_in_progress",
                            "A request with this Idempotency-Key is being served. Try again when it is done."));
        } else {
            repeat(begun.kept(), read, response);
        }
    }

    private void serve(
            RepeatedRequests.Turn turn, DigestedRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        var answer = new RecordedResponse(response);
        // Its key is not free from then on, whatever becomes of its answer: who repeats would do it once more.
        boolean done = false;
        try {
            chain.doFilter(request, answer);
            int status = answer.getStatus();
            done = status >= 200 && status < 300 && request.getAttribute(RepeatedRequests.FAILED_ATTRIBUTE) == null;
        } finally {
            if (!done) {
                requests.release(turn);
            }
        }
        if (done) {
            // Before the client can have read it all: who repeats at once finds the answer.
            keep(turn, request, answer);
        }
        answer.send();
    }

    /** The client is told what was done also where nobody else ever is: the database may be away, or the client before it has sent all. */
    private void keep(RepeatedRequests.Turn turn, DigestedRequest request, RecordedResponse answer) {
        try {
            String fingerprint = fingerprint(request);
            if (fingerprint != null) {
                requests.keep(
                        turn,
                        new RepeatedRequests.Kept(
                                fingerprint,
                                answer.getStatus(),
                                answer.getContentType(),
                                answer.recorded(),
                                request.getAttribute(RepeatedRequests.HIDDEN_ATTRIBUTE) != null),
                        room(request));
            }
        } catch (IOException | RuntimeException e) {
            Causes.requireMemory(e);
            if (e instanceof RuntimeException && Causes.passing(e).isEmpty()) {
                log.error("an answer could not be kept", e);
            } else {
                log.debug("an answer could not be kept", e);
            }
        }
    }

    private static RepeatedRequests.Room room(HttpServletRequest request) {
        return request.getAttribute(RepeatedRequests.ROOM_ATTRIBUTE) instanceof RepeatedRequests.Room bounded
                ? bounded
                : bytes -> true;
    }

    private void repeat(RepeatedRequests.Kept kept, DigestedRequest request, HttpServletResponse response)
            throws IOException {
        if (!kept.fingerprint().equals(fingerprint(request))) {
            refuse(response, invalid("was sent with another request"));
            return;
        }
        response.setStatus(kept.status());
        response.setHeader(REPLAYED_FIELD, "true");
        if (kept.isHidden()) {
            response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, null);
        }
        if (kept.contentType() != null) {
            response.setContentType(kept.contentType());
        }
        if (kept.body().length > 0) {
            response.setContentLength(kept.body().length);
            response.getOutputStream().write(kept.body());
        }
    }

    /** Reads what nobody read; null where that is more than any surface takes. */
    private static @Nullable String fingerprint(DigestedRequest request) throws IOException {
        InputStream body = request.getInputStream();
        byte[] chunk = new byte[CHUNK];
        while (request.count() <= MOST_READ) {
            if (body.read(chunk) < 0) {
                return request.fingerprint();
            }
        }
        return null;
    }

    /**
     * Who proved nothing is told from others by address, agent and the page that asks, as far as they can be told apart at all.
     * Answers are bounded by the address alone: it would have any number of agents, and drive out what others are kept.
     */
    private RepeatedRequests.Id id(HttpServletRequest request, String key) {
        if (request.getAttribute(RepeatedRequests.CALLER_ATTRIBUTE) instanceof String proven) {
            return requests.id(proven, key);
        }
        String address = addresses.address(ServletCall.of(request, origin)).orElse("");
        String from = request.getHeader(HttpHeaders.ORIGIN) + ' ' + request.getHeader(HttpHeaders.USER_AGENT);
        return requests.id("address:" + address, key + ' ' + from);
    }

    private static ApiException invalid(String problem) {
        return ApiException.invalid(Map.of(KEY_FIELD, problem));
    }

    private void refuse(HttpServletResponse response, ApiException problem) throws IOException {
        response.setStatus(problem.status().value());
        response.setContentType(MediaType.APPLICATION_JSON_VALUE);
        byte[] body = mapper.writeValueAsBytes(ApiError.of(problem));
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
