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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Sends requests to the interface of one site. Follows no redirect, keeps no cookie. Safe for concurrent use. */
public final class SiteClient {

    // Chosen: far above what any request may take, so that a hanging server fails the test and not the build.
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final String base;
    private final HttpClient http;
    private final Map<String, String> headers;
    private final List<String> made;

    /**
     * Makes a client without an account.
     *
     * @param base the address of the site; a slash at its end is dropped
     */
    public SiteClient(String base) {
        this(
                base.endsWith("/") ? base.substring(0, base.length() - 1) : base,
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(PATIENCE)
                        .build(),
                Map.of(),
                new CopyOnWriteArrayList<>());
    }

    private SiteClient(String base, HttpClient http, Map<String, String> headers, List<String> made) {
        this.base = base;
        this.http = http;
        this.headers = headers;
        this.made = made;
    }

    /** Returns a client that signs each request in as the account of that name. */
    public SiteClient as(String account) {
        return as(Accounts.standard().get(account));
    }

    /** Returns a client that signs each request in as this account. */
    public SiteClient as(Account account) {
        return with("Authorization", account.basic());
    }

    /** Returns a client that sends a header field with each request. */
    public SiteClient with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new SiteClient(base, http, more, made);
    }

    /** Returns the address of the site, without a slash at its end. */
    public String base() {
        return base;
    }

    /**
     * Begins a request to a route of the interface.
     *
     * @param route may have a query behind a question mark; its values are as they are meant, not encoded
     */
    public Call call(String method, String route) {
        String[] parts = route.split("\\?", 2);
        return call(method, parts[0], parts.length == 1 ? Query.create() : Query.read(parts[1]));
    }

    /** Begins a request to a route of the interface, with a query behind the route. */
    public Call call(String method, String route, Query query) {
        String more = query.toString();
        return callAddress(method, "/index.php?rest_route=" + Query.encode(route) + (more.isEmpty() ? "" : "&" + more));
    }

    /** Begins a request to any address, or to a path of the site, which begins with a slash. */
    public Call callAddress(String method, String address) {
        return new Call(method, URI.create(address.startsWith("/") ? base + address : address)).headers(headers);
    }

    /** Reads a route of the interface. */
    public Answer get(String route) {
        return call("GET", route).send();
    }

    /** Reads any address, or a path of the site, which begins with a slash. */
    public Answer open(String address) {
        return callAddress("GET", address).send();
    }

    /** Writes to a route of the interface. */
    public Answer post(String route, String json) {
        return call("POST", route).json(json).send();
    }

    /** Writes to a route of the interface. */
    public Answer post(String route, JsonNode json) {
        return post(route, json.toString());
    }

    /** Deletes what a route of the interface names. */
    public Answer delete(String route) {
        return call("DELETE", route).send();
    }

    /** Returns the addresses of what this client, and those it was made of, made so far; the oldest first. */
    public List<String> made() {
        return made;
    }

    /** A request that is being put together. Not safe for concurrent use. */
    public final class Call {

        private final String method;
        private final URI address;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private byte[] body = {};

        private Call(String method, URI address) {
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

        /** Makes the account of that name the caller. */
        public Call as(String account) {
            return header("Authorization", Accounts.standard().get(account).basic());
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

        /** Sends a file by itself. */
        public Call file(String name, String type, byte[] content) {
            return header("Content-Type", type)
                    .header("Content-Disposition", "attachment; filename=\"" + name + "\"")
                    .body(content);
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
                Answer answer = new Answer(received.statusCode(), received::headers, received.body());
                if (answer.status() == 201) {
                    answer.header("Location").ifPresent(made::add);
                }
                return answer;
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
