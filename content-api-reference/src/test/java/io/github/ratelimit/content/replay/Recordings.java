package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A directory of recordings: the content they assume, the files they upload, and the topics. */
public final class Recordings {

    private static final String CONTENT = "seed.json";

    private final Path directory;

    private Recordings(Path directory) {
        this.directory = directory;
    }

    /** Opens a directory. */
    public static Recordings in(Path directory) {
        return new Recordings(directory);
    }

    /** Opens those that belong to the project's tests. */
    public static Recordings ofTheProject() {
        URL content = Objects.requireNonNull(
                Recordings.class.getResource("/recordings/" + CONTENT),
                "recordings are missing from the test resources");
        try {
            return new Recordings(
                    Objects.requireNonNull(Path.of(content.toURI()).getParent()));
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the names of all topics, in order of the alphabet. */
    public List<String> topics() {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> Objects.requireNonNull(file.getFileName()).toString())
                    .filter(name -> name.endsWith(".json") && !name.equals(CONTENT))
                    .map(name -> name.substring(0, name.length() - ".json".length()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the content that every request assumes. */
    public JsonNode content() {
        return Json.read(directory.resolve(CONTENT));
    }

    /** Returns a topic: its groups in order, each a list of captures in order. */
    public List<List<Capture>> topic(String name) {
        List<List<Capture>> groups = new ArrayList<>();
        for (JsonNode group : Json.read(directory.resolve(name + ".json")).path("groups")) {
            List<Capture> captures = new ArrayList<>();
            for (JsonNode capture : group.path("captures")) {
                captures.add(Capture.of(capture));
            }
            groups.add(captures);
        }
        return groups;
    }

    /** Returns a file that is uploaded. */
    public byte[] asset(String name) {
        try {
            return Files.readAllBytes(directory.resolve("assets").resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of the files that are uploaded. */
    public List<String> assets() {
        try (Stream<Path> files = Files.list(directory.resolve("assets"))) {
            return files.map(file -> Objects.requireNonNull(file.getFileName()).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A recorded request and its answer; values may hold placeholders.
     *
     * @param name what it shows
     * @param bind names for values of the answer, each with the path to the value, for the rest of the group
     * @param unordered the order of the answered list is not part of the answer
     * @param advisory recorded, but not demanded
     * @param needs what the server must offer for this capture to make sense
     * @param request what is sent
     * @param response what was answered: {@code status}, {@code headers} and {@code body}
     */
    public record Capture(
            String name,
            Map<String, String> bind,
            boolean unordered,
            boolean advisory,
            List<String> needs,
            Request request,
            JsonNode response) {

        private static Capture of(JsonNode node) {
            Map<String, String> bind = new LinkedHashMap<>();
            node.path("bind")
                    .properties()
                    .forEach(entry -> bind.put(entry.getKey(), entry.getValue().asString()));
            List<String> needs = new ArrayList<>();
            node.path("needs").forEach(need -> needs.add(need.asString()));
            return new Capture(
                    node.path("name").asString(),
                    bind,
                    node.path("unordered").asBoolean(false),
                    node.path("advisory").asBoolean(false),
                    needs,
                    Request.of(node.path("request")),
                    node.path("response"));
        }
    }

    /**
     * What is sent.
     *
     * @param method the HTTP method
     * @param route the route, without its query
     * @param query arguments behind the route; a list is sent as a repeated argument
     * @param headers further header fields
     * @param auth who sends it
     * @param body a JSON body, or null
     * @param form form fields, or null
     * @param rawBody a text as it stands, or null
     * @param file an upload, or null
     */
    public record Request(
            String method,
            String route,
            JsonNode query,
            JsonNode headers,
            String auth,
            @Nullable JsonNode body,
            @Nullable JsonNode form,
            @Nullable JsonNode rawBody,
            @Nullable JsonNode file) {

        private static Request of(JsonNode node) {
            return new Request(
                    node.path("method").asString(),
                    node.path("route").asString(),
                    node.path("query"),
                    node.path("headers"),
                    node.path("auth").asString("anonymous"),
                    node.get("body"),
                    node.get("form"),
                    node.get("rawBody"),
                    node.get("file"));
        }
    }
}
