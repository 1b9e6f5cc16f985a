package io.github.ratelimit.content.cms.rest;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.content.server.http.AnswerRoom;
import io.github.ratelimit.content.server.http.RequestBody;
import io.github.ratelimit.content.server.http.RequestBounds;
import io.github.ratelimit.content.server.http.UnavailableException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the route, the method, the arguments and the files of a servlet request. */
final class RequestReader {
    private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS");

    private final SiteAddress site;
    private final RequestBounds bounds;
    private final GuessLimit guesses;
    private final long longestUpload;

    /**
     * Makes one.
     *
     * @param longestUpload the most bytes of a body with files
     */
    RequestReader(SiteAddress site, RequestBounds bounds, GuessLimit guesses, long longestUpload) {
        this.site = site;
        this.bounds = bounds;
        this.guesses = guesses;
        this.longestUpload = longestUpload;
    }

    RestRequest.Origin origin(HttpServletRequest http, AnswerRoom.Share room) {
        return new RestRequest.Origin(
                Caller.of(http),
                site.of(http),
                name -> Optional.ofNullable(http.getHeader(name)),
                () -> guesses.begin(http),
                room::take,
                new AtomicLong());
    }

    /** Returns the route without slashes at its end, or an empty text if there is none. */
    static String route(ObjectNode query) {
        String named = query.path(RestAddress.ROUTE_PARAMETER).asString("");
        String route = StringUtils.trimTrailingCharacter(named, '/');
        return route.isEmpty() && !named.isEmpty() ? "/" : route;
    }

    /**
     * Returns the method that is meant. A client that cannot send it may name it in the query or a header.
     *
     * @return empty if a safe method names one that writes, because a link must never write
     */
    static Optional<String> methodName(HttpServletRequest http, ObjectNode query) {
        String name = http.getMethod();
        String named = upperCase(query.path("_method").asString(""));
        String wished = named.isEmpty() ? upperCase(http.getHeader("X-HTTP-Method-Override")) : named;
        // A browser sends its preflight to the same address as the write.
        if (wished.isEmpty() || name.equals("OPTIONS")) {
            return Optional.of(name);
        }
        boolean isAllowed = !SAFE_METHODS.contains(name) || SAFE_METHODS.contains(wished);
        return isAllowed ? Optional.of(wished) : Optional.empty();
    }

    /** Tells whether a request looks for words: by its query, or perhaps by the body of one that is turned into GET. */
    static boolean maySearch(HttpServletRequest http) {
        try {
            ObjectNode query = FormParser.parse(Objects.requireNonNullElse(http.getQueryString(), ""));
            boolean isTurned = !SAFE_METHODS.contains(http.getMethod())
                    && methodName(http, query).filter(SAFE_METHODS::contains).isPresent();
            return isTurned || query.has("search");
        } catch (RestError unreadable) {
            return false; // and rejected
        }
    }

    private static String upperCase(@Nullable String name) {
        return name == null ? "" : name.toUpperCase(Locale.ROOT);
    }

    /** Says whether the body may be longer than that of a stranger. */
    boolean isLong(HttpServletRequest http) {
        return http.getContentLengthLong() > bounds.maxStrangerBody().toBytes()
                || http.getHeader("Transfer-Encoding") != null;
    }

    /**
     * Reads the body of a request.
     *
     * @param takesFiles whether the body may contain files
     */
    RestRequest withBody(RestRequest request, HttpServletRequest http, boolean takesFiles) throws IOException {
        long account = takesFiles ? longestUpload : RestJson.MOST_BYTES;
        long most = request.caller().isAnonymous() ? bounds.maxStrangerBody().toBytes() : account;
        if (RequestBody.read(http, most) == 0) {
            return request;
        }
        try {
            return request.withBody(body(http, request.method()));
        } catch (RestError unreadable) {
            return request.withBody(RestRequest.Body.rejected(unreadable));
        }
    }

    private RestRequest.Body body(HttpServletRequest http, RestMethod method) throws IOException {
        List<String> types = mediaTypes(http);
        String type = types.get(0);
        if (method == RestMethod.GET && types.stream().noneMatch(RequestReader::isJson)) {
            return RestRequest.Body.none(); // of a request that was turned into GET, a form means nothing
        }
        if (type.equals("multipart/form-data")) {
            return parts(http);
        }
        if (types.stream().anyMatch(RequestReader::isJson)) {
            return RestRequest.Body.ofJson(
                    requireTexts(RestJson.read(http.getInputStream().readAllBytes())));
        }
        // Some clients call every body a form. A body with a file name is a file.
        if (isForm(type, method) && http.getHeader("Content-Disposition") == null) {
            String text = FormParser.utf8(http.getInputStream().readAllBytes());
            return RestRequest.Body.ofForm(requireTexts(FormParser.parse(text)), List.of());
        }
        return RestRequest.Body.ofFile(http.getInputStream());
    }

    private static boolean isJson(String type) {
        String whole = type.endsWith("+oembed") ? type.substring(0, type.length() - "+oembed".length()) : type;
        return whole.equals("application/json") || (whole.startsWith("application/") && whole.endsWith("+json"));
    }

    /** A body without a type is a form, except for a POST, where it is a file. */
    private static boolean isForm(String type, RestMethod method) {
        return type.equals("application/x-www-form-urlencoded") || (type.isEmpty() && method != RestMethod.POST);
    }

    /** Proxies join fields that come twice. Of such a list the first says whether it is a form, and any that it is JSON. */
    private static List<String> mediaTypes(HttpServletRequest http) {
        String joined = String.join(",", Collections.list(http.getHeaders("Content-Type")));
        return List.of(joined.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).split("[,\\s]++"));
    }

    /** Limits each text, and all of them beside a file: other bodies are short enough, and the cost depends on all. */
    private ObjectNode requireTexts(ObjectNode arguments) {
        if (characters(arguments) > RestJson.MOST_BYTES) {
            throw RestError.tooLong(RestJson.MOST_BYTES);
        }
        return arguments;
    }

    /** A client may send back the rendered text beside the raw one. It is ignored, so it does not count. */
    private long characters(JsonNode value) {
        if (!value.isString()) {
            Stream<JsonNode> read = value.path("raw").isString()
                    ? value.propertyStream()
                            .filter(member -> !member.getKey().equals("rendered"))
                            .map(Map.Entry::getValue)
                    : value.valueStream();
            return read.mapToLong(this::characters).sum();
        }
        int length = value.stringValue().length();
        if (length > bounds.maxText()) {
            throw RestError.tooLong(bounds.maxText());
        }
        return length;
    }

    private RestRequest.Body parts(HttpServletRequest http) throws IOException {
        List<Part> files = new ArrayList<>();
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        for (Part part : parsed(http)) {
            if (part.getSubmittedFileName() != null) {
                files.add(part);
                continue;
            }
            try (InputStream stream = part.getInputStream()) {
                FormParser.put(fields, part.getName(), FormParser.utf8(stream.readAllBytes()));
            }
        }
        return RestRequest.Body.ofForm(requireTexts(FormParser.numbered(fields)), files);
    }

    /** Tomcat parses the parts and stores the long ones. */
    private static Collection<Part> parsed(HttpServletRequest http) {
        try {
            return http.getParts();
        } catch (ServletException | IOException | RuntimeException unreadable) {
            boolean isOfTomcat = unreadable.getClass().getName().startsWith("org.apache.");
            if (unreadable instanceof IOException && !isOfTomcat) {
                // The body is in memory, so this is the disk.
                throw UnavailableException.busy("The upload cannot be stored at the moment.");
            }
            throw RestError.of(400, "rest_invalid_multipart", "The multipart body cannot be read.");
        }
    }
}
