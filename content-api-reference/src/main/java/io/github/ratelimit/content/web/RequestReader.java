package io.github.ratelimit.content.web;

import io.github.ratelimit.content.security.Callers;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads what a request says: which route, which method, which arguments, and what comes beside them. */
final class RequestReader {
    private final SiteAddress site;

    RequestReader(SiteAddress site) {
        this.site = site;
    }

    RestRequest.Origin origin(HttpServletRequest http) {
        return new RestRequest.Origin(
                Callers.of(http),
                site.of(http),
                http.getRemoteAddr(),
                name -> Optional.ofNullable(http.getHeader(name)));
    }

    /**
     * Reads the arguments of the address.
     *
     * @throws RestError if they cannot be read, or name several routes
     */
    ObjectNode query(HttpServletRequest http) {
        String text = http.getQueryString();
        String query = text == null ? "" : text;
        int first = routeAt(query, 0);
        if (first >= 0 && routeAt(query, first + 1) >= 0) {
            throw RestError.of(400, "rest_invalid_route", "The parameter rest_route may be given once.");
        }
        return FormParser.parse(query);
    }

    private static int routeAt(String query, int from) {
        String name = RestAddress.ROUTE_PARAMETER + "=";
        int at = query.indexOf(name, from);
        while (at > 0 && query.charAt(at - 1) != '&') {
            at = query.indexOf(name, at + 1);
        }
        return at;
    }

    /** Tells the route; empty where none is named. */
    String route(ObjectNode query) {
        return query.path(RestAddress.ROUTE_PARAMETER).asString("");
    }

    /** Tells the method; a POST may ask for another one, for clients that can send nothing else. */
    Optional<RestMethod> method(HttpServletRequest http, ObjectNode query) {
        String name = http.getMethod();
        if (name.equals("HEAD")) {
            return Optional.of(RestMethod.GET);
        }
        String wished = query.path("_method").asString("");
        if (wished.isEmpty()) {
            String header = http.getHeader("X-HTTP-Method-Override");
            wished = header == null || !name.equals("POST") ? "" : header;
        }
        if (!wished.isEmpty()) {
            // Only writing may be disguised: a link that a browser follows must never write.
            return name.equals("POST") ? RestMethod.of(wished.toUpperCase(Locale.ROOT)) : Optional.empty();
        }
        return RestMethod.of(name);
    }

    RestRequest request(HttpServletRequest http, RestMethod method, RestRequest.Origin origin, ObjectNode query)
            throws IOException {
        RestRequest.Draft draft = new RestRequest.Draft(method, route(query), origin, query);
        try {
            readBody(http, method, draft);
        } catch (RestError unreadable) {
            draft.malformed(unreadable);
        }
        return draft.request();
    }

    private static void readBody(HttpServletRequest http, RestMethod method, RestRequest.Draft draft)
            throws IOException {
        String contentType = http.getContentType();
        String type = mediaType(contentType);
        String encoding = http.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw RestError.of(415, "rest_unsupported_encoding", "Bodies must be sent without a content encoding.");
        }
        if (isJson(type)) {
            byte[] bytes = argumentBytes(http);
            if (bytes.length > 0) {
                draft.json(RestJson.read(bytes));
            }
        } else if (type.equals("application/x-www-form-urlencoded")) {
            if (method.readsForm()) {
                String text = FormParser.utf8(ByteBuffer.wrap(argumentBytes(http)));
                draft.form(FormParser.parse(text));
            }
        } else if (type.equals("multipart/form-data")) {
            readParts(http, draft);
        } else {
            draft.payload(new RawPayload(http, Optional.ofNullable(contentType)));
        }
    }

    private static boolean isJson(String type) {
        return type.equals("application/json") || (type.startsWith("application/") && type.endsWith("+json"));
    }

    private static String mediaType(@Nullable String contentType) {
        if (contentType == null) {
            return "";
        }
        int end = contentType.indexOf(';');
        return (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    private static byte[] argumentBytes(HttpServletRequest http) throws IOException {
        if (http.getContentLengthLong() > RestJson.MOST_BYTES) {
            throw tooLarge();
        }
        byte[] bytes = http.getInputStream().readNBytes(RestJson.MOST_BYTES + 1);
        if (bytes.length > RestJson.MOST_BYTES) {
            throw tooLarge();
        }
        return bytes;
    }

    private static RestError tooLarge() {
        return RestError.of(413, "rest_request_too_large", "The body is larger than this server reads.");
    }

    private static void readParts(HttpServletRequest http, RestRequest.Draft draft) throws IOException {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        List<Payload.FilePart> files = new ArrayList<>();
        long fieldBytes = 0;
        for (Part part : parts(http)) {
            if (part.getSubmittedFileName() != null) {
                files.add(new UploadedPart(part));
                continue;
            }
            fieldBytes += part.getSize();
            if (fieldBytes > RestJson.MOST_BYTES) {
                throw tooLarge();
            }
            try (InputStream stream = part.getInputStream()) {
                FormParser.put(fields, part.getName(), FormParser.utf8(ByteBuffer.wrap(stream.readAllBytes())));
            }
        }
        JsonNode numbered = FormParser.numbered(fields);
        draft.form((ObjectNode) numbered);
        draft.payload(new PartsPayload(Optional.ofNullable(http.getContentType()), List.copyOf(files)));
    }

    private static Iterable<Part> parts(HttpServletRequest http) throws IOException {
        try {
            return http.getParts();
        } catch (ServletException | IOException | RuntimeException unreadable) {
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
