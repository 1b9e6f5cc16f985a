package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Callers;
import io.github.ratelimit.content.server.http.UnavailableException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    /** Whoever speaks these knows by its length alone whether an answer broke off; proxies do, where nobody tells them otherwise. */
    private static final Set<String> OLD = Set.of("HTTP/1.0", "HTTP/0.9");

    private static final String SCRIPT = "application/javascript; charset=UTF-8";
    private static final String PRIVATE = "no-cache, must-revalidate, max-age=0, no-store, private";

    private final transient Dispatcher dispatcher;
    private final transient RequestReader reader;
    private final transient List<RestStep> steps;

    RestServlet(Dispatcher dispatcher, RequestReader reader, List<RestStep> steps) {
        this.dispatcher = dispatcher;
        this.reader = reader;
        this.steps = List.copyOf(steps);
    }

    @Override
    protected void service(HttpServletRequest http, HttpServletResponse response) throws IOException {
        RestRequest.Origin origin = reader.origin(http);
        setCaching(response, origin);
        ObjectNode query;
        try {
            query = reader.query(http);
        } catch (RestError unreadable) {
            write(response, unreadable.toAnswer(), Form.PLAIN);
            return;
        }
        JsonNode callback = query.path("_jsonp");
        boolean isHead =
                RequestReader.methodName(http, query).filter("HEAD"::equals).isPresent();
        Form form = new Form(
                isHead,
                query.has("_pretty"),
                isNone(callback) ? "" : callback.asString(" "),
                !OLD.contains(http.getProtocol()));
        if (!form.callback().isEmpty() && !CALLBACK.matcher(form.callback()).matches()) {
            write(response, badCallback(), form);
            return;
        }
        RestAnswer answer;
        try {
            answer = answer(http, origin, query, response);
        } catch (UnavailableException busy) {
            answer = RestError.unavailable(busy);
        } catch (RestError refused) {
            answer = refused.toAnswer();
            answer = query.has("_envelope") ? RestAnswer.ok(answer.envelope()) : answer;
        }
        write(response, answer, form);
    }

    /** An empty name, and {@code 0}, are no wish for a wrapper. */
    private static boolean isNone(JsonNode callback) {
        return callback.isMissingNode() || Set.of("", "0").contains(callback.asString(" "));
    }

    /** Refused before there is a request: the one error that has no data. */
    private static RestAnswer badCallback() {
        return RestAnswer.of(
                400,
                JsonNodeFactory.instance
                        .objectNode()
                        .put("code", "rest_callback_invalid")
                        .put("message", "Invalid JSONP callback function."));
    }

    /** How the body is to be written. */
    private record Form(boolean isHead, boolean isIndented, String callback, boolean isTakenInPieces) {
        static final Form PLAIN = new Form(false, false, "", true);

        boolean isScript(RestBody body) {
            return !callback.isEmpty() && body.isJson();
        }

        /** What tells that the name is none is not wrapped in it. */
        boolean isWrapped(RestBody body) {
            return isScript(body) && CALLBACK.matcher(callback).matches();
        }
    }

    private RestAnswer answer(
            HttpServletRequest http, RestRequest.Origin origin, ObjectNode query, HttpServletResponse response)
            throws IOException {
        refuseSession(http, query);
        String name = RequestReader.methodName(http, query).orElseThrow(RestError::noRoute);
        if (name.equals("OPTIONS")) {
            RestRequest request =
                    new RestRequest.Draft(RestMethod.GET, RequestReader.route(query), origin, query).request();
            tellRoute(http, dispatcher.route(request).orElse(null));
            return dispatcher.finish(request, dispatcher.describe(request));
        }
        RestMethod method = RequestReader.method(http, query).orElseThrow(RestError::noRoute);
        Dispatcher.Prepared prepared = prepare(http, method, origin, query);
        tellRoute(http, prepared.route());
        return answer(new RestStep.Passing(prepared, http, response), steps.iterator());
    }

    /** All routes share one path: by it alone no observer would tell a list from an upload. */
    private static void tellRoute(HttpServletRequest http, @Nullable Route route) {
        if (route != null) {
            ServerHttpObservationFilter.findObservationContext(http)
                    .ifPresent(seen -> seen.setPathPattern(RestAddress.PATH + route.pattern()));
        }
    }

    private RestAnswer answer(RestStep.Passing passing, Iterator<RestStep> further) {
        return further.hasNext()
                ? further.next().answer(passing, () -> answer(passing, further))
                : dispatcher.answer(passing.prepared());
    }

    /**
     * Asks who may before long parts are stored, and before more of a stranger is read than is worth reading of one: whoever
     * may not go there, whatever the body says, is refused without. For the rest wrong arguments are told before lacking rights.
     */
    private Dispatcher.Prepared prepare(
            HttpServletRequest http, RestMethod method, RestRequest.Origin origin, ObjectNode query)
            throws IOException {
        RestRequest bare = RequestReader.bare(method, origin, query);
        if (!RequestReader.hasBody(http)) {
            // Also what no length tells of: there is nothing to be parsed, and a file is read by who stores it.
            return dispatcher.prepare(reader.request(http, method, origin, query, false));
        }
        Optional<Endpoint> endpoint = dispatcher.endpoint(bare);
        if (endpoint.isEmpty()) {
            return dispatcher.prepare(bare);
        }
        boolean takesFiles = endpoint.get().takesFiles();
        boolean isUpload = takesFiles && RequestReader.isMultipart(http);
        if (reader.isLong(http) && (origin.caller().isAnonymous() || isUpload)) {
            Dispatcher.Prepared unread = dispatcher.prepareUnread(bare);
            if (unread.refusal() != null) {
                return unread;
            }
        }
        if (isUpload && !origin.caller().isAnonymous()) {
            try {
                endpoint.get().announce(bare, reader.uploadLength(http));
            } catch (RestError refused) {
                return dispatcher.prepare(bare).refusedFor(refused);
            }
        }
        return dispatcher.prepare(reader.request(http, method, origin, query, takesFiles));
    }

    /** This server has no sessions that such a token could belong to; whoever sends one must not pass as a visitor. */
    private static void refuseSession(HttpServletRequest http, ObjectNode query) {
        boolean sent = http.getHeader("X-WP-Nonce") != null || query.has("_wpnonce");
        if (sent && Callers.of(http).isAnonymous()) {
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
        RestBody body = answer.body();
        response.setContentType(form.isScript(body) ? SCRIPT : body.contentType());
        if (!form.isHead()) {
            write(response, body, form);
        }
    }

    private static void write(HttpServletResponse response, byte[] bytes) throws IOException {
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }

    private static void write(HttpServletResponse response, RestBody body, Form form) throws IOException {
        boolean isWrapped = form.isWrapped(body);
        if (!isWrapped && body.isWritten(form.isIndented())) {
            write(response, body.bytes(form.isIndented()));
            return;
        }
        var out = new AnswerWriter(response, form.isTakenInPieces() ? AnswerWriter.MOST_HELD : Integer.MAX_VALUE);
        if (isWrapped) {
            // The comment keeps the name from being the first bytes, which some plug-ins would run as a file of theirs.
            out.write(("/**/" + form.callback() + "(").getBytes(StandardCharsets.US_ASCII));
            RestJson.writePlain(body.tree(), form.isIndented(), out);
            out.write(')');
        } else {
            body.write(out, form.isIndented());
        }
        out.finish();
    }
}
