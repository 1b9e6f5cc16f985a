package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.SiteClient;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Turns a recorded upload into a request. */
final class Uploads {

    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("gif", "image/gif"),
            Map.entry("jpeg", "image/jpeg"),
            Map.entry("jpg", "image/jpeg"),
            Map.entry("mp3", "audio/mpeg"),
            Map.entry("mp4", "video/mp4"),
            Map.entry("pdf", "application/pdf"),
            Map.entry("png", "image/png"),
            Map.entry("svg", "image/svg+xml"),
            Map.entry("txt", "text/plain"),
            Map.entry("wav", "audio/wav"),
            Map.entry("webp", "image/webp"));

    private Uploads() {}

    /** Returns the content type that a client sends for a file of that name. */
    static String contentType(String file) {
        String ending = file.substring(file.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return TYPES.getOrDefault(ending, "application/octet-stream");
    }

    static void put(JsonNode upload, Names names, Recordings recordings, SiteClient.Call call) {
        String asset = upload.path("asset").asString();
        byte[] content = recordings.asset(asset);
        String sentName = upload.path("as").asString(asset);
        String type = textOrNull(upload, "type", contentType(asset), names);
        if (upload.path("mode").asString("raw").equals("multipart")) {
            Map<String, String> fields = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> field : upload.path("fields").properties()) {
                fields.put(field.getKey(), names.text(field.getValue().asString()));
            }
            String field = upload.path("field").asString("file");
            call.multipart(fields, new SiteClient.FilePart(field, sentName, type, content));
            return;
        }
        String disposition = textOrNull(upload, "disposition", "attachment; filename=\"" + sentName + "\"", names);
        if (type != null) {
            call.header("Content-Type", type);
        }
        if (disposition != null) {
            call.header("Content-Disposition", disposition);
        }
        call.body(content);
    }

    /** A member that may be left out, for the usual value, or be null, for none. */
    private static @Nullable String textOrNull(JsonNode upload, String member, String usual, Names names) {
        JsonNode value = upload.get(member);
        if (value == null) {
            return usual;
        }
        return value.isNull() ? null : names.text(value.asString());
    }
}
