package io.github.ratelimit.content.harness;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Sends requests to the interface of one site. Follows no redirect, keeps no cookie. Safe for concurrent use. */
public final class SiteClient {

    // Chosen: far above what any request may take, so that a hanging server fails the test and not the build.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String base;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /**
     * Makes a client.
     *
     * @param base the address of the site; a slash at its end is dropped
     */
    public SiteClient(String base) {
        this.base = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    }

    /** Returns the address of the site, without a slash at its end. */
    public String base() {
        return base;
    }

    /** Begins a request to a route of the interface. */
    public Call call(String method, String route) {
        return call(method, route, Query.create());
    }

    /** Begins a request to a route of the interface, with a query behind the route. */
    public Call call(String method, String route, Query query) {
        String more = query.toString();
        String address = base + "/index.php?rest_route=" + Query.encode(route) + (more.isEmpty() ? "" : "&" + more);
        return new Call(http, method, URI.create(address));
    }

    /** Begins a request to any address. */
    public Call callAddress(String method, String address) {
        return new Call(http, method, URI.create(address));
    }

    /** A request that is being put together. Not safe for concurrent use. */
    public static final class Call {

        private final HttpClient http;
        private final String method;
        private final URI address;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private byte[] body = {};

        private Call(HttpClient http, String method, URI address) {
            this.http = http;
            this.method = method;
            this.address = address;
        }

        /** Sets a header field, in place of one of the same spelling. */
        public Call header(String name, String value) {
            headers.put(name, value);
            return this;
        }

        /** Sets header fields. */
        public Call headers(Map<String, String> fields) {
            headers.putAll(fields);
            return this;
        }

        /** Makes the account the caller. */
        public Call as(Account account) {
            return header("Authorization", account.basic());
        }

        /** Sends JSON. */
        public Call json(JsonNode value) {
            return json(value.toString());
        }

        /** Sends a text that is JSON, or pretends to be. */
        public Call json(String text) {
            return header("Content-Type", "application/json").body(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Sends form fields. */
        public Call form(Query fields) {
            return header("Content-Type", "application/x-www-form-urlencoded")
                    .body(fields.toString().getBytes(StandardCharsets.UTF_8));
        }

        /** Sends a file and fields beside it as multipart. */
        public Call multipart(Map<String, String> fields, FilePart file) {
            String boundary = "boundary-0c9f6ab1d5e34b7f";
            ByteArrayOutputStream parts = new ByteArrayOutputStream();
            fields.forEach((name, value) -> {
                part(parts, boundary, "form-data; name=\"" + name + "\"", null);
                parts.writeBytes((value + "\r\n").getBytes(StandardCharsets.UTF_8));
            });
            part(
                    parts,
                    boundary,
                    "form-data; name=\"" + file.field() + "\"; filename=\"" + file.name() + "\"",
                    file.type());
            parts.writeBytes(file.content());
            parts.writeBytes(("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.UTF_8));
            return header("Content-Type", "multipart/form-data; boundary=" + boundary)
                    .body(parts.toByteArray());
        }

        /** Sends these bytes. */
        public Call body(byte[] bytes) {
            body = bytes.clone();
            return this;
        }

        /**
         * Sends the request and waits for the whole answer.
         *
         * @throws UncheckedIOException if there was none
         */
        public Answer send() {
            HttpRequest.Builder request = HttpRequest.newBuilder(address)
                    .timeout(PATIENCE)
                    .method(
                            method,
                            body.length == 0
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofByteArray(body));
            headers.forEach(request::header);
            try {
                var received = http.send(request.build(), BodyHandlers.ofByteArray());
                return new Answer(received.statusCode(), received::headers, received.body());
            } catch (IOException e) {
                throw new UncheckedIOException(method + " " + address + ": " + e.getMessage(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for " + address, e);
            }
        }

        private static void part(
                ByteArrayOutputStream parts, String boundary, String disposition, @Nullable String type) {
            StringBuilder head = new StringBuilder("--")
                    .append(boundary)
                    .append("\r\nContent-Disposition: ")
                    .append(disposition);
            if (type != null) {
                head.append("\r\nContent-Type: ").append(type);
            }
            parts.writeBytes(head.append("\r\n\r\n").toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * A file among form fields.
     *
     * @param field the name of the form field
     * @param name the file name that is sent
     * @param type the content type that is sent; null leaves it out
     * @param content what is in it
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared as a value.
    public record FilePart(
            String field, String name, @Nullable String type, byte[] content) {}
}
