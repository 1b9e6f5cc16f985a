package io.github.ratelimit.content.widget;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Requests that no honest client sends, to each surface: in the query, the path, the header and the body. */
final class MalformedRequests {

    /** One address, at least, of each that reads requests in its own way. */
    static final List<String> PATHS = List.of(
            "/",
            "/?p=1",
            "/?embed=true",
            "/?rest_route=/cms/v2/posts",
            "/index.php?rest_route=/cms/v2/posts",
            "/index.php?rest_route=/batch/v1",
            "/index.php?rest_route=/cms/v2/media",
            "/index.php?rest_route=/oembed/1.0/embed",
            "/authorize-application",
            "/uploads/2026/11/a.png",
            "/api/v1/widget/init",
            "/api/v1/widget/messages",
            "/api/v1/widget/conversation",
            "/api/v1/widget/leads",
            "/v1/cms/documents",
            "/widget.js",
            "/actuator/health",
            "/limits",
            "/error",
            "/nothing");

    /** Those of which fields and bodies are read, each by readers of its own. */
    private static final Set<String> READERS = Set.of(
            "/",
            "/index.php?rest_route=/cms/v2/posts",
            "/index.php?rest_route=/batch/v1",
            "/authorize-application",
            "/api/v1/widget/messages",
            "/v1/cms/documents");

    private static final List<String> QUERIES =
            List.of("%zz", "page=%c3%28", "%00=%00", "a[b]c]=&[]=&&&=&=;", "a=%", "p=%zz&post_password=%zz");

    private static final List<String> PATH_ENDS = List.of("%zz", "%00", "%2f..", ";%zz");

    private static final List<String> FIELDS = List.of(
            "Content-Type: ;;;",
            "Content-Type: application/json;charset=nonsense",
            "Content-Type: multipart/form-data",
            "Content-Type: multipart/form-data; boundary=x",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Type: application/x-www-form-urlencoded;charset=nonsense",
            "Content-Encoding: gzip",
            "Content-Length: 2\r\nContent-Language: " + "x".repeat(9_000),
            "Accept: ;q=x, a/b/c",
            "Accept: a/b",
            "Accept-Language: %zz;q=",
            "Accept-Charset: ,,,",
            "Authorization: Basic %zz",
            "Authorization: Bearer a.b.c",
            "Cookie: a=\"; ;=;\u0001",
            "If-None-Match: \"",
            "If-Match: W/",
            "If-Modified-Since: never",
            "Range: bytes=-",
            "Origin: %zz",
            "Origin: http://[",
            "X-HTTP-Method-Override: %zz",
            "X-WP-Nonce: %zz",
            "X-Forwarded-For: [::%zz",
            "Forwarded: for=\"[",
            "Expect: nothing",
            "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: %zz",
            "Host: %zz");

    private static final List<String> BODIES =
            List.of("%zz=%zz", "--x\r\n%zz", "[", "{\"requests\":[{\"path\":\"/%zz?%zz\"}]}");

    private MalformedRequests() {}

    /** A request as it is sent. */
    record Request(String line, String body, String field) {
        /** Its own field, and another one behind it. */
        String[] withField(String other) {
            return field.isEmpty()
                    ? new String[] {other}
                    : field.startsWith("Authorization") ? new String[] {field} : new String[] {field, other};
        }
    }

    /** Makes those of one address. */
    static Stream<Request> all(String path) {
        String joint = path.indexOf('?') < 0 ? "?" : "&";
        Stream<Request> queries = QUERIES.stream()
                .flatMap(query -> Stream.of("GET", "POST")
                        .map(method -> new Request(method + " " + path + joint + query + " HTTP/1.1", "", "")));
        Stream<Request> paths = PATH_ENDS.stream()
                .map(end -> new Request("GET " + path.replaceFirst("\\?.*", "") + end + " HTTP/1.1", "", ""));
        Stream<Request> methods = Stream.of("PROPFIND", "A\u0001", "OPTIONS")
                .map(method -> new Request(method + " " + path + " HTTP/1.1", "", ""));
        return Stream.of(queries, paths, methods, READERS.contains(path) ? fieldsAndBodies(path) : Stream.<Request>of())
                .flatMap(all -> all);
    }

    private static Stream<Request> fieldsAndBodies(String path) {
        Stream<Request> fields = FIELDS.stream().map(field -> new Request("GET " + path + " HTTP/1.1", "", field));
        Stream<Request> bodies = BODIES.stream()
                .flatMap(body -> FIELDS.stream()
                        .filter(field -> field.startsWith("Content-"))
                        .map(field -> new Request("POST " + path + " HTTP/1.1", body, field)));
        return Stream.concat(fields, bodies);
    }
}
