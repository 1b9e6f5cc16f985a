package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Callers;
import io.github.ratelimit.content.limits.Guesses;
import io.github.ratelimit.content.server.http.RequestBody;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.content.server.http.UnavailableException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a request says: which route, which method, which arguments, and what comes beside them. */
final class RequestReader {
    /** Methods that change nothing. */
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");

    private final SiteAddress site;
    private final RequestBounds bounds;
    private final long longestUpload;

    /**
     * Makes one.
     *
     * @param longestUpload the most bytes of a body with files
     */
    RequestReader(SiteAddress site, RequestBounds bounds, long longestUpload) {
        this.site = site;
        this.bounds = bounds;
        this.longestUpload = longestUpload;
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

    /** Says whether the body has parts. */
    static boolean isMultipart(HttpServletRequest http) {
        return mediaType(http.getContentType()).equals("multipart/form-data");
    }

    /** Says whether there is more than is read of a stranger; a body of unknown length may be any. */
    boolean isLong(HttpServletRequest http) {
        long length = http.getContentLengthLong();
        return length < 0 || length > bounds.maxStrangerBody().toBytes();
    }

    /** The length of an upload. If the client does not tell it, this reads the upload. */
    long uploadLength(HttpServletRequest http) throws IOException {
        long told = http.getContentLengthLong();
        return told >= 0 ? told : RequestBody.read(http, longestUpload);
    }

    /** Takes everything but the body. */
    static RestRequest bare(RestMethod method, RestRequest.Origin origin, ObjectNode query) {
        return draft(method, origin, query).request();
    }

    private static RestRequest.Draft draft(RestMethod method, RestRequest.Origin origin, ObjectNode query) {
        return new RestRequest.Draft(method, route(query), origin, query);
    }

    /**
     * Reads the whole request. An upload that is not in parts is read by its handler.
     *
     * @param takesFiles whether the body may be or contain files
     */
    RestRequest request(
            HttpServletRequest http, RestMethod method, RestRequest.Origin origin, ObjectNode query, boolean takesFiles)
            throws IOException {
        RestRequest.Draft draft = draft(method, origin, query);
        long account = takesFiles ? longestUpload : RestJson.MOST_BYTES;
        long most = origin.caller().isAnonymous() ? bounds.maxStrangerBody().toBytes() : account;
        try {
            readBody(http, method, draft, most);
        } catch (RestError unreadable) {
            draft.malformed(unreadable);
        }
        return draft.request();
    }

    private void readBody(HttpServletRequest http, RestMethod method, RestRequest.Draft draft, long most)
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
                draft.json(requireTexts(RestJson.read(bytes)));
            }
        } else if (isForm(type, method) && http.getHeader("Content-Disposition") == null) {
            if (method.readsForm()) {
                String text = FormParser.utf8(ByteBuffer.wrap(argumentBytes(http, most)));
                draft.form(requireTexts(FormParser.parse(text)));
            }
        } else if (type.equals("multipart/form-data")) {
            RequestBody.read(http, most);
            readParts(http, draft);
        } else {
            // Some clients call any body a form; one that is named as a file is a file.
            draft.payload(new RawPayload(http, Optional.ofNullable(contentType), most));
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

    private static byte[] argumentBytes(HttpServletRequest http, long most) throws IOException {
        RequestBody.read(http, Math.min(most, RestJson.MOST_BYTES));
        return http.getInputStream().readAllBytes();
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

    private void readParts(HttpServletRequest http, RestRequest.Draft draft) throws IOException {
        List<Payload.FilePart> files = new ArrayList<>();
        List<Part> others = new ArrayList<>();
        for (Part part : parts(http)) {
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
            if (fieldBytes > RestJson.MOST_BYTES) {
                throw tooLarge();
            }
            try (InputStream stream = part.getInputStream()) {
                FormParser.put(fields, part.getName(), FormParser.utf8(ByteBuffer.wrap(stream.readAllBytes())));
            }
        }
        JsonNode numbered = FormParser.numbered(fields);
        draft.form(requireTexts((ObjectNode) numbered));
    }

    /** Lets Tomcat parse the parts, and store the long ones. */
    private static Iterable<Part> parts(HttpServletRequest http) {
        try {
            return http.getParts();
        } catch (ServletException | IOException | RuntimeException unreadable) {
            boolean isOfTomcat = unreadable.getClass().getName().startsWith("org.apache.");
            if (unreadable instanceof IOException && !isOfTomcat) {
                // The body is in memory, so this is the disk.
                throw UnavailableException.busy("The upload cannot be stored at the moment.");
            }
            // Tomcat tells a limit by the kind of exception that it wraps, and that kind is its own.
            if (String.valueOf(unreadable).contains("SizeLimitExceeded")
                    || String.valueOf(unreadable.getCause()).contains("SizeLimitExceeded")) {
                throw tooLarge();
            }
            throw RestError.of(400, "rest_invalid_multipart", "The multipart body cannot be read.");
        }
    }

    private record RawPayload(HttpServletRequest http, Optional<String> contentType, long most) implements Payload {
        @Override
        public InputStream stream() throws IOException {
            RequestBody.read(http, most);
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
