package io.github.ratelimit.content.clients;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Json;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.client.RestClient;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.JsonNode;

/** Builds addresses and bodies as the Java client does, with the same library. */
final class JavaClient {
    private static final Pattern NEXT = Pattern.compile("<([^>]*)>; rel=\"next\"");

    private final RestClient http = RestClient.create();
    private final Account account = Accounts.standard().get("admin");
    private final String base;
    private final String route;

    /**
     * Makes a client.
     *
     * @param site the address of the site, and behind it the query that names the route
     */
    JavaClient(String site) {
        int query = site.indexOf("?rest_route=");
        base = site.substring(0, query);
        route = site.substring(query + "?rest_route=".length());
    }

    JsonNode send(HttpMethod method, String path, Map<String, String> parameters, @Nullable Object body) {
        return json(exchange(method, uri(path, parameters), body));
    }

    /** Follows the link to the next page. */
    JsonNode next(String path, Map<String, String> parameters) {
        String links = Optional.ofNullable(exchange(HttpMethod.GET, uri(path, parameters), null)
                        .getHeaders()
                        .getFirst("Link"))
                .orElse("");
        Matcher next = NEXT.matcher(links);
        if (!next.find()) {
            throw new AssertionError("no next page: " + links);
        }
        return json(exchange(HttpMethod.GET, URI.create(next.group(1)), null));
    }

    JsonNode upload(String path, Map<String, String> fields) {
        var parts = new LinkedMultiValueMap<String, Object>();
        fields.forEach(parts::add);
        parts.add("file", new ClassPathResource("/recordings/assets/icon.png"));
        return json(request(HttpMethod.POST, uri(path, Map.of()))
                .contentType(MediaType.MULTIPART_FORM_DATA)
                .body(parts)
                .retrieve()
                .toEntity(byte[].class));
    }

    private URI uri(String path, Map<String, String> parameters) {
        UriComponentsBuilder address = UriComponentsBuilder.fromUriString(base).queryParam("rest_route", route + path);
        parameters.forEach(address::queryParam);
        return address.build().toUri();
    }

    private ResponseEntity<byte[]> exchange(HttpMethod method, URI uri, @Nullable Object body) {
        RestClient.RequestBodySpec request = request(method, uri);
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).body(body);
        }
        return request.retrieve().toEntity(byte[].class);
    }

    private RestClient.RequestBodySpec request(HttpMethod method, URI uri) {
        return http.method(method)
                .uri(uri)
                .header("User-Agent", "wp-api-v2-client-java/4.19.0")
                .header("Authorization", account.basic());
    }

    private static JsonNode json(ResponseEntity<byte[]> answer) {
        byte[] body = answer.getBody();
        return Json.read(body == null ? new byte[0] : body);
    }
}
