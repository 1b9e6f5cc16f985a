package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Callers;
import io.github.ratelimit.content.cms.security.Guesses;
import io.github.ratelimit.content.shared.container.BoundedRequest;
import io.github.ratelimit.content.shared.container.Causes;
import io.github.ratelimit.content.shared.container.RequestBounds;
import io.github.ratelimit.content.shared.container.UnavailableException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a request says: which route, which method, which arguments, and what comes beside them. */
final class RequestReader {
    /** Methods that change nothing. */
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final SiteAddress site;
    private final RequestBounds bounds;
    private final Function<IOException, RuntimeException> notStored;
    private final JsonNodeFactory nodes;
    private final JsonMapper json;

    /**
     * Makes one.
     *
     * @param nodes what bodies are read into
     * @param notStored makes of a failure to store the parts of a body what is thrown
     */
    RequestReader(
            SiteAddress site,
            RequestBounds bounds,
            JsonNodeFactory nodes,
            Function<IOException, RuntimeException> notStored) {
        this.site = site;
        this.bounds = bounds;
        this.notStored = notStored;
        this.nodes = nodes;
        this.json = RestJson.mapper(bounds.maxJsonTokens(), nodes);
    }

    RestRequest.Origin origin(HttpServletRequest http) {
        return new RestRequest.Origin(
                Callers.of(http), site.of(http), name -> Optional.ofNullable(http.getHeader(name)), Guesses.of(http));
    }

    /**
     * Reads the arguments of the address.
     *
     * @throws RestError if they cannot be read, or name several routes
     */
    ObjectNode query(HttpServletRequest http) {
        String text = http.getQueryString();
        return query(text == null ? "" : text);
    }

    static ObjectNode query(String query) {
        int first = routeAt(query, 0);
        ObjectNode parsed = FormParser.parse(query);
        // By any spelling of the name, also that of a list: what decides by the text must not see another route.
        if (first >= 0 && (routeAt(query, first + 1) >= 0 || !isRoute(query, first, parsed))) {
            throw RestError.of(400, "rest_invalid_route", "The parameter rest_route may be given once, as one text.");
        }
        return parsed;
    }

    private static boolean isRoute(String query, int at, ObjectNode parsed) {
        int start = at + RestAddress.ROUTE_PARAMETER.length() + 1;
        int end = query.indexOf('&', start);
        String sent = FormParser.decode(end < 0 ? query.substring(start) : query.substring(start, end));
        JsonNode read = parsed.path(RestAddress.ROUTE_PARAMETER);
        return read.isString() && read.stringValue().equals(sent);
    }

    private static int routeAt(String query, int from) {
        String name = RestAddress.ROUTE_PARAMETER + "=";
        int at = query.indexOf(name, from);
        while (at > 0 && query.charAt(at - 1) != '&') {
            at = query.indexOf(name, at + 1);
        }
        return at;
    }

    /** Tells the route, without the slashes behind it; empty where none is named. */
    static String route(ObjectNode query) {
        String named = query.path(RestAddress.ROUTE_PARAMETER).asString("");
        int end = named.length();
        while (end > 0 && (named.charAt(end - 1) == '/' || named.charAt(end - 1) == '\\')) {
            end--;
        }
        return end == 0 && !named.isEmpty() ? "/" : named.substring(0, end);
    }

    /**
     * Tells the name of the method that is meant: what writes may ask for any other one, for clients that cannot send it; what
     * reads for one that changes nothing.
     *
     * @return as on the wire; empty for one that may not be asked for in this way
     */
    static Optional<String> methodName(HttpServletRequest http, ObjectNode query) {
        String name = http.getMethod();
        String named = upperCase(query.path("_method").asString(""));
        String wished = named.isEmpty() ? upperCase(http.getHeader("X-HTTP-Method-Override")) : named;
        // A browser asks beforehand by OPTIONS at the very address that it means to write to.
        if (wished.isEmpty() || name.equals("OPTIONS")) {
            return Optional.of(name);
        }
        // A link that a browser follows must never write.
        boolean isAllowed = !READING.contains(name) || READING.contains(wished);
        return isAllowed ? Optional.of(wished) : Optional.empty();
    }

    /** Tells the method that a request to any address is served as: elsewhere none may be asked for. */
    static String meant(HttpServletRequest http) {
        if (!RestAddress.PATH.equals(http.getServletPath())) {
            return http.getMethod();
        }
        try {
            return methodName(http, query(Objects.requireNonNullElse(http.getQueryString(), "")))
                    .orElse("");
        } catch (RestError unreadable) {
            return "";
        }
    }

    private static String upperCase(@Nullable String name) {
        return name == null ? "" : name.toUpperCase(Locale.ROOT);
    }

    /** Tells what is to be done to the route; HEAD reads, and OPTIONS does nothing to it. */
    static Optional<RestMethod> method(HttpServletRequest http, ObjectNode query) {
        return methodName(http, query)
                .flatMap(name -> name.equals("HEAD") ? Optional.of(RestMethod.GET) : RestMethod.of(name));
    }

    /** Says whether there is a body; one of unknown length is one. */
    static boolean hasBody(HttpServletRequest http) {
        return http.getContentLengthLong() > 0 || http.getHeader("Transfer-Encoding") != null;
    }

    /** Says whether the container would store the parts of the body. */
    static boolean isMultipart(HttpServletRequest http) {
        return mediaType(http.getContentType()).equals("multipart/form-data");
    }

    /** Says whether there is more than is read of a stranger; a body of unknown length may be any. */
    boolean isLong(HttpServletRequest http) {
        long length = http.getContentLengthLong();
        return length < 0 || length > bounds.maxStrangerBody().toBytes();
    }

    /** Takes everything but the body. */
    static RestRequest bare(RestMethod method, RestRequest.Origin origin, ObjectNode query) {
        return draft(method, origin, query).request();
    }

    private static RestRequest.Draft draft(RestMethod method, RestRequest.Origin origin, ObjectNode query) {
        return new RestRequest.Draft(method, route(query), origin, query);
    }

    /**
     * Reads the whole request.
     *
     * @param takesFiles whether parts of the body may be files, which are stored then
     */
    RestRequest request(
            HttpServletRequest http, RestMethod method, RestRequest.Origin origin, ObjectNode query, boolean takesFiles)
            throws IOException {
        RestRequest.Draft draft = draft(method, origin, query);
        boolean isStranger = origin.caller().isAnonymous();
        int most = isStranger
                ? (int) Math.min(RestJson.MOST_BYTES, bounds.maxStrangerBody().toBytes())
                : RestJson.MOST_BYTES;
        try {
            readBody(http, method, draft, most, takesFiles);
        } catch (RestError unreadable) {
            draft.malformed(unreadable);
        }
        return draft.request();
    }

    private void readBody(
            HttpServletRequest http, RestMethod method, RestRequest.Draft draft, int most, boolean takesFiles)
            throws IOException {
        String contentType = http.getContentType();
        String type = mediaType(contentType);
        String encoding = http.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw RestError.of(415, "rest_unsupported_encoding", "Bodies must be sent without a content encoding.");
        }
        if (isJson(type)) {
            byte[] bytes = argumentBytes(http, most);
            if (bytes.length > 0) {
                draft.json(requireTexts(RestJson.read(bytes, json)));
            }
        } else if (isForm(type, method) && http.getHeader("Content-Disposition") == null) {
            if (method.readsForm()) {
                String text = FormParser.utf8(ByteBuffer.wrap(argumentBytes(http, most)));
                draft.form(requireTexts(FormParser.parse(text, nodes)));
            }
        } else if (type.equals("multipart/form-data")) {
            if (!takesFiles) {
                requireShort(http, most);
            } else if (PartLimits.areStored(http.getContentLengthLong())) {
                BoundedRequest.isStored(http, PartLimits.MOST_IN_MEMORY);
            }
            readParts(http, draft, most);
        } else {
            // Some clients call any body a form; one that is named as a file is a file.
            draft.payload(new RawPayload(http, Optional.ofNullable(contentType)));
        }
    }

    private static boolean isJson(String type) {
        String whole = type.endsWith("+oembed") ? type.substring(0, type.length() - "+oembed".length()) : type;
        return whole.equals("application/json") || (whole.startsWith("application/") && whole.endsWith("+json"));
    }

    /** A body that nobody named is a form, too, but for a POST: there it is a file. */
    private static boolean isForm(String type, RestMethod method) {
        return type.equals("application/x-www-form-urlencoded") || (type.isEmpty() && method != RestMethod.POST);
    }

    private static String mediaType(@Nullable String contentType) {
        if (contentType == null) {
            return "";
        }
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** The container reads parts to their end, and stores the long ones: so the length must be known before. */
    private static void requireShort(HttpServletRequest http, int most) {
        if (http.getContentLengthLong() < 0) {
            throw RestError.of(411, "rest_length_required", "The length of a body with parts must be said beforehand.");
        }
        if (http.getContentLengthLong() > most) {
            throw tooLarge();
        }
    }

    private static byte[] argumentBytes(HttpServletRequest http, int most) throws IOException {
        if (http.getContentLengthLong() > most) {
            throw tooLarge();
        }
        byte[] bytes = http.getInputStream().readNBytes(most + 1);
        if (bytes.length > most) {
            throw tooLarge();
        }
        return bytes;
    }

    /** All together, since one request costs what all of them cost: those of a batch, too. */
    private ObjectNode requireTexts(ObjectNode arguments) {
        if (characters(arguments) > bounds.maxText()) {
            throw RestError.tooLong(bounds.maxText());
        }
        return arguments;
    }

    /** Who sends back what was read sends what was shown of a text beside the text: that is not looked at. */
    private static long characters(JsonNode value) {
        if (value.isString()) {
            return value.stringValue().length();
        }
        long all = value.values().stream().mapToLong(RequestReader::characters).sum();
        return value.path("raw").isString() ? all - characters(value.path("rendered")) : all;
    }

    private static RestError tooLarge() {
        return RestError.of(413, "rest_request_too_large", "The body is larger than this server reads.");
    }

    private void readParts(HttpServletRequest http, RestRequest.Draft draft, int most) throws IOException {
        List<Payload.FilePart> files = new ArrayList<>();
        List<Part> others = new ArrayList<>();
        for (Part part : parts(http, notStored)) {
            if (part.getSubmittedFileName() == null) {
                others.add(part);
            } else {
                files.add(new UploadedPart(part));
            }
        }
        // First: they are there, whatever is wrong with the fields.
        draft.payload(new PartsPayload(Optional.ofNullable(http.getContentType()), List.copyOf(files)));
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        long fieldBytes = 0;
        for (Part part : others) {
            fieldBytes += part.getSize();
            if (fieldBytes > most) {
                throw tooLarge();
            }
            try (InputStream stream = part.getInputStream()) {
                FormParser.put(fields, part.getName(), FormParser.utf8(ByteBuffer.wrap(stream.readAllBytes())));
            }
        }
        JsonNode numbered = FormParser.numbered(fields);
        draft.form(requireTexts((ObjectNode) numbered));
    }

    /**
     * Lets the container read the parts, and store the long ones.
     *
     * @param notStored makes of a failure of the disk what is thrown
     */
    static Iterable<Part> parts(HttpServletRequest http, Function<IOException, RuntimeException> notStored) {
        try {
            return http.getParts();
        } catch (UnavailableException givenUp) {
            throw givenUp;
        } catch (ServletException | IOException | RuntimeException unreadable) {
            Causes.requireMemory(unreadable);
            Optional<IOException> stored = Causes.storing(unreadable);
            if (stored.isPresent()) {
                throw notStored.apply(stored.get());
            }
            // The container tells a limit by the kind of exception that it wraps, and that kind is its own.
            if (String.valueOf(unreadable).contains("SizeLimitExceeded")
                    || String.valueOf(unreadable.getCause()).contains("SizeLimitExceeded")) {
                throw tooLarge();
            }
            throw RestError.of(400, "rest_invalid_multipart", "The multipart body cannot be read.");
        }
    }

    private record RawPayload(HttpServletRequest http, Optional<String> contentType) implements Payload {
        @Override
        public InputStream stream() throws IOException {
            BoundedRequest.isStored(http);
            return http.getInputStream();
        }

        @Override
        public List<FilePart> files() {
            return List.of();
        }
    }

    private record PartsPayload(Optional<String> contentType, List<FilePart> files) implements Payload {
        @Override
        public InputStream stream() {
            return InputStream.nullInputStream();
        }
    }

    private record UploadedPart(Part part) implements Payload.FilePart {
        @Override
        public String field() {
            return part.getName();
        }

        @Override
        public String fileName() {
            return part.getSubmittedFileName();
        }

        @Override
        public Optional<String> contentType() {
            return Optional.ofNullable(part.getContentType());
        }

        @Override
        public InputStream open() throws IOException {
            return part.getInputStream();
        }
    }
}
