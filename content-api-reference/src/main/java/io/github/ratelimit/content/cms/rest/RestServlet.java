package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.server.http.AnswerRoom;
import io.github.ratelimit.content.server.http.UnavailableException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.ServerHttpObservationFilter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The servlet of the interface: turns a servlet request into a {@link RestRequest}, and an answer into bytes.
 *
 * <p>A servlet of its own rather than a controller: methods, bodies, preflights and errors follow the rules of this
 * interface alone.
 */
final class RestServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private static final Pattern CALLBACK = Pattern.compile("[A-Za-z0-9_.]{1,200}+");

    private static final String SCRIPT = "application/javascript; charset=UTF-8";
    private static final String PRIVATE = "no-cache, must-revalidate, max-age=0, no-store, private";

    private final transient Dispatcher dispatcher;
    private final transient RequestReader reader;
    private final transient AnswerRoom room;
    private final transient PageCache cache;

    RestServlet(Dispatcher dispatcher, RequestReader reader, AnswerRoom room, PageCache cache) {
        this.room = room;
        this.dispatcher = dispatcher;
        this.reader = reader;
        this.cache = cache;
    }

    @Override
    protected void service(HttpServletRequest http, HttpServletResponse response) throws IOException {
        try (AnswerRoom.Share share = room.share()) {
            serve(http, response, reader.origin(http, share));
        }
    }

    private void serve(HttpServletRequest http, HttpServletResponse response, RestRequest.Origin origin)
            throws IOException {
        setCaching(response, origin);
        ObjectNode query;
        try {
            query = FormParser.parse(Objects.requireNonNullElse(http.getQueryString(), ""));
        } catch (RestError unreadable) {
            write(response, unreadable.toAnswer(), Form.PLAIN);
            return;
        }
        Optional<String> method = RequestReader.methodName(http, query);
        boolean isHead = method.filter("HEAD"::equals).isPresent();
        JsonNode callback = query.path("_jsonp");
        // A list names no function.
        Form form = new Form(isHead, query.has("_pretty"), callback.isContainer() ? "[]" : callback.asString(""));
        if (!form.callback().isEmpty() && !CALLBACK.matcher(form.callback()).matches()) {
            write(response, badCallback(), form);
            return;
        }
        RestAnswer answer;
        try {
            rejectSession(http, query);
            answer = answer(http, method.orElseThrow(RestError::noRoute), origin, query, response);
        } catch (UnavailableException busy) {
            answer = RestError.unavailable(busy);
        } catch (RestError rejected) {
            answer = rejected.toAnswer();
            answer = query.has("_envelope") ? RestAnswer.ok(answer.envelope()) : answer;
        }
        write(response, answer, form);
    }

    /** This is the only error without data. */
    private static RestAnswer badCallback() {
        return RestAnswer.of(
                400,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("code", "rest_callback_invalid")
                        .put("message", "Invalid JSONP callback function."));
    }

    /** How the body is to be written. */
    private record Form(boolean isHead, boolean isIndented, String callback) {
        static final Form PLAIN = new Form(false, false, "");

        boolean isScript(RestAnswer.Body body) {
            return !callback.isEmpty() && body.isJson();
        }

        /** The error about a bad name is not wrapped. */
        boolean isWrapped(RestAnswer.Body body) {
            return isScript(body) && CALLBACK.matcher(callback).matches();
        }
    }

    private RestAnswer answer(
            HttpServletRequest http,
            String name,
            RestRequest.Origin origin,
            ObjectNode query,
            HttpServletResponse response)
            throws IOException {
        if (name.equals("OPTIONS")) {
            RestRequest request = new RestRequest(RestMethod.GET, RequestReader.route(query), origin, query);
            Dispatcher.Prepared found = dispatcher.find(request);
            tellRoute(http, found.route());
            return dispatcher.describe(found);
        }
        // A HEAD request is a GET request without the body of the answer.
        RestMethod method = RestMethod.of(name.equals("HEAD") ? "GET" : name).orElseThrow(RestError::noRoute);
        RestRequest bare = new RestRequest(method, RequestReader.route(query), origin, query);
        Dispatcher.Prepared prepared = prepare(http, bare);
        tellRoute(http, prepared.route());
        RestAnswer answer = origin.caller().isAnonymous()
                ? cache.answer(prepared, http, response, () -> dispatcher.answer(prepared))
                : dispatcher.answer(prepared);
        return prepared.route() == null || http.getMethod().equals("HEAD")
                ? answer
                : prepared.route().written(prepared.request(), answer);
    }

    /** All routes share one path, so the metrics are labelled with the route. */
    private static void tellRoute(HttpServletRequest http, @Nullable Route route) {
        if (route != null) {
            ServerHttpObservationFilter.findObservationContext(http)
                    .ifPresent(seen -> seen.setPathPattern(RestAddress.PATH + route.pattern()));
        }
    }

    /** The permission is checked before a long body is read. Otherwise wrong arguments come first. */
    private Dispatcher.Prepared prepare(HttpServletRequest http, RestRequest bare) throws IOException {
        Dispatcher.Prepared found = dispatcher.find(bare);
        boolean takesFiles = found.endpoint() != null && found.endpoint().takesFiles();
        if (reader.isLong(http) && (takesFiles || bare.caller().isAnonymous())) {
            Dispatcher.Prepared unread = Dispatcher.admit(found);
            if (unread.rejection() != null) {
                return unread;
            }
        }
        return Dispatcher.read(found, reader.withBody(found.request(), http, takesFiles));
    }

    /** This server has no sessions. A client with a token for one must not pass as a visitor. */
    private static void rejectSession(HttpServletRequest http, ObjectNode query) {
        boolean sent = http.getHeader("X-WP-Nonce") != null || query.has("_wpnonce");
        if (sent && Caller.of(http).isAnonymous()) {
            throw RestError.of(403, "rest_cookie_invalid_nonce", "Cookie check failed.");
        }
    }

    private static void setCaching(HttpServletResponse response, RestRequest.Origin origin) {
        if (!origin.caller().isAnonymous()) {
            response.setHeader("Cache-Control", PRIVATE);
        } else if (!response.containsHeader("Vary")) {
            response.setHeader("Vary", "Origin");
        }
    }

    private static void write(HttpServletResponse response, RestAnswer answer, Form form) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (answer.status() == 503 && !response.containsHeader("Retry-After")) {
            response.setHeader("Retry-After", UnavailableException.RETRY_AFTER);
        }
        if (answer.status() == 429 || response.containsHeader("Retry-After")) {
            // Beside what is exposed already: a page elsewhere must learn how long to wait.
            response.addHeader("Access-Control-Expose-Headers", "Retry-After");
        }
        RestAnswer.Body body = answer.body();
        response.setContentType(form.isScript(body) ? SCRIPT : body.contentType());
        if (!form.isHead()) {
            writeBody(response, body, form);
        }
    }

    private static void writeBody(HttpServletResponse response, RestAnswer.Body body, Form form) throws IOException {
        OutputStream out = response.getOutputStream();
        if (form.isWrapped(body)) {
            // The comment keeps the name from being the first bytes, which some plug-ins would run as a file of theirs.
            out.write(("/**/" + form.callback() + "(").getBytes(StandardCharsets.US_ASCII));
            RestJson.writePlain(body.tree(), form.isIndented(), out);
            out.write(')');
        } else {
            byte[] bytes = body.encoded(form.isIndented());
            if (bytes == null) {
                RestJson.write(body.tree(), form.isIndented(), out);
            } else {
                response.setContentLength(bytes.length);
                out.write(bytes);
            }
        }
    }
}
