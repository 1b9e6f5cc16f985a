package io.github.ratelimit.content.web;

import io.github.ratelimit.content.security.Callers;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
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
    private static final String PRIVATE = "no-cache, must-revalidate, max-age=0, no-store, private";

    private final transient Dispatcher dispatcher;
    private final transient RequestReader reader;
    private final transient List<RestGate> gates;

    RestServlet(Dispatcher dispatcher, RequestReader reader, List<RestGate> gates) {
        this.dispatcher = dispatcher;
        this.reader = reader;
        this.gates = List.copyOf(gates);
    }

    @Override
    protected void service(HttpServletRequest http, HttpServletResponse response) throws IOException {
        RestRequest.Origin origin = reader.origin(http);
        setGeneralHeaders(http, response, origin);
        ObjectNode query;
        RestAnswer answer;
        try {
            query = reader.query(http);
        } catch (RestError unreadable) {
            write(response, unreadable.toAnswer(), new Form(http.getMethod().equals("HEAD"), false, ""));
            return;
        }
        String callback = query.path("_jsonp").asString("");
        Form form = new Form(http.getMethod().equals("HEAD"), query.has("_pretty"), callback);
        try {
            if (query.has("_jsonp") && !CALLBACK.matcher(callback).matches()) {
                form = new Form(form.isHead(), form.isIndented(), "");
                throw RestError.of(400, "rest_callback_invalid", "Invalid JSONP callback function.");
            }
            answer = answer(http, origin, query, response);
        } catch (RestError refused) {
            answer = refused.toAnswer();
        }
        write(response, answer, form);
    }

    /** How the body is to be written. */
    private record Form(boolean isHead, boolean isIndented, String callback) {}

    private RestAnswer answer(
            HttpServletRequest http, RestRequest.Origin origin, ObjectNode query, HttpServletResponse response)
            throws IOException {
        refuseSession(http, query);
        if (http.getMethod().equals("OPTIONS")) {
            RestRequest request = new RestRequest.Draft(RestMethod.GET, reader.route(query), origin, query).request();
            return dispatcher.describe(request);
        }
        Optional<RestMethod> method = reader.method(http, query);
        if (method.isEmpty()) {
            throw RestError.noRoute();
        }
        RestRequest request = reader.request(http, method.get(), origin, query);
        Dispatcher.Prepared prepared = dispatcher.prepare(request);
        for (RestGate gate : gates) {
            Optional<RestAnswer> refusal = gate.check(prepared, http, response);
            if (refusal.isPresent()) {
                return refusal.get();
            }
        }
        return dispatcher.serve(prepared);
    }

    /** This server has no sessions that such a token could belong to; whoever sends one must not pass as a visitor. */
    private static void refuseSession(HttpServletRequest http, ObjectNode query) {
        boolean sent = http.getHeader("X-WP-Nonce") != null || query.has("_wpnonce");
        if (sent && Callers.of(http).isAnonymous()) {
            throw RestError.of(403, "rest_cookie_invalid_nonce", "Cookie check failed.");
        }
    }

    private static void setGeneralHeaders(
            HttpServletRequest http, HttpServletResponse response, RestRequest.Origin origin) {
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Robots-Tag", "noindex");
        response.setHeader("Link", "<" + RestAddress.of(origin.baseUrl(), "/") + ">; rel=\"https://api.w.org/\"");
        response.setHeader("Access-Control-Expose-Headers", "X-WP-Total, X-WP-TotalPages, Link");
        response.setHeader(
                "Access-Control-Allow-Headers",
                "Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type");
        String from = http.getHeader("Origin");
        if (from != null && isOrigin(from)) {
            // Credentials are never ambient here: each request carries its own, so a foreign page can only use those
            // that it was given.
            response.setHeader("Access-Control-Allow-Origin", from);
            response.setHeader("Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE");
            response.setHeader("Access-Control-Allow-Credentials", "true");
        }
        if (origin.caller().isAnonymous()) {
            response.addHeader("Vary", "Origin");
        } else {
            response.setHeader("Cache-Control", PRIVATE);
        }
    }

    private static boolean isOrigin(String text) {
        return text.length() <= 300 && text.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '<' && c != '"');
    }

    private static void write(HttpServletResponse response, RestAnswer answer, Form form) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        RestBody body = answer.body();
        if (form.isHead()) {
            response.setContentType(body.contentType());
            return;
        }
        byte[] bytes = body.bytes(form.isIndented());
        if (!form.callback().isEmpty() && body.isJson()) {
            // The comment keeps the name from being the first bytes, which some plug-ins would run as a file of theirs.
            String script = "/**/" + form.callback() + "(" + new String(bytes, StandardCharsets.UTF_8) + ")";
            bytes = script.replace("\u2028", "\\u2028")
                    .replace("\u2029", "\\u2029")
                    .getBytes(StandardCharsets.UTF_8);
            response.setContentType("application/javascript; charset=UTF-8");
        } else {
            response.setContentType(body.contentType());
        }
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
