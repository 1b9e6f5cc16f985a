package io.github.ratelimit.content.harness;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * What the server answered.
 *
 * @param status the HTTP status
 * @param fields all header fields; whoever does not ask for them does not have them taken apart
 * @param bytes the body as it came; empty where there was none
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared as a value; a copy of each body would only cost time.
public record Answer(int status, Supplier<HttpHeaders> fields, byte[] bytes) {

    /** Returns all header fields. */
    public HttpHeaders headers() {
        return fields.get();
    }

    /** Returns the value of a field; several lines of one field are joined by a comma. */
    public Optional<String> header(String name) {
        var values = headers().allValues(name);
        return values.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", values));
    }

    /** Returns the content type without its parameters, in small letters; empty where the field is missing. */
    public String mediaType() {
        return header("Content-Type").orElse("").split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }

    /** Returns the body as text. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /**
     * Returns the body as JSON.
     *
     * @throws tools.jackson.core.JacksonException if it is none
     */
    public JsonNode json() {
        return Json.read(bytes);
    }

    /** Returns a text of the body by its JSON pointer. */
    public String text(String pointer) {
        return json().at(pointer).asString();
    }

    /** Returns a whole number of the body by its JSON pointer. */
    public long number(String pointer) {
        return json().at(pointer).longValue();
    }

    /** Returns the id of what was read or made. */
    public long id() {
        return number("/id");
    }

    /** Returns the code of a rejection by the content-management interface; empty where there is none. */
    public String code() {
        return json().path("code").asString("");
    }
}
