package com.example;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** Sends requests as a browser, a program and a user with a password do. It follows no redirect, and keeps no cookie. */
public final class Browser {

    public static final String HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    public static final String JSON = "application/json";

    private final HttpClient client = HttpClient.newHttpClient(); // with connections of its own
    private final String base;

    private Browser(String base) {
        this.base = base;
    }

    /** Of the application's own port. */
    public static Browser of(ConfigurableApplicationContext application) {
        return new Browser("http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port"));
    }

    /** Of the port that serves Actuator. */
    public static Browser ofManagement(ConfigurableApplicationContext application) {
        return new Browser("http://127.0.0.1:" + application.getEnvironment().getProperty("local.management.port"));
    }

    /** A GET request. The headers are names and values in turn. */
    public HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, headers);
    }

    public HttpResponse<String> send(String method, String path, String... headers) {
        return send(method, path, HttpRequest.BodyPublishers.noBody(), headers);
    }

    /** A POST request with JSON. */
    public HttpResponse<String> post(String path, String json, String... headers) {
        List<String> all = new ArrayList<>(List.of(headers));
        all.addAll(List.of("Content-Type", JSON));
        return send("POST", path, HttpRequest.BodyPublishers.ofString(json), all.toArray(String[]::new));
    }

    private HttpResponse<String> send(String method, String path, HttpRequest.BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofMinutes(1))
                .method(method, body);
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path + " was not answered", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Sends the same request several times, one after the other. */
    public List<Integer> statuses(int times, String path, String... headers) {
        return java.util.stream.IntStream.range(0, times)
                .mapToObj(i -> get(path, headers).statusCode())
                .toList();
    }

    /** The value of an {@code Authorization} header. */
    public static String basic(String user) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
    }
}
