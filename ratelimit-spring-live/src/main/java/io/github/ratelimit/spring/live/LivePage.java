package io.github.ratelimit.spring.live;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/**
 * The page, its style and its script, and the header fields that let it run nothing else.
 *
 * <p>Immutable and safe for concurrent use.
 */
public final class LivePage {

    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    private final String path;
    private final String last;

    /**
     * Makes it.
     *
     * @param path where the page is, below the application's root: one or more of {@code /} and {@code A-Z a-z 0-9 . _ ~ -}
     * @throws IllegalArgumentException if the path is not of that form
     */
    LivePage(String path) {
        if (!path.matches("(/[A-Za-z0-9._~-]+)+") || path.contains("/.")) {
            throw new IllegalArgumentException(
                    "ratelimit.live.path must begin with a slash, end without one and consist of A-Z a-z 0-9 . _ ~ - between them, was '%s'"
                            .formatted(path));
        }
        this.path = path;
        this.last = path.substring(path.lastIndexOf('/') + 1);
    }

    /** Where the page is, below the application's root. */
    public String path() {
        return path;
    }

    /** One of its files. With relative addresses, which hold below any prefix of a proxy and any context path. */
    ResponseEntity<byte[]> file(String name, String type) {
        try (InputStream from = LivePage.class.getResourceAsStream(name)) {
            if (from == null) {
                throw new IllegalStateException("missing from the jar: " + name);
            }
            byte[] content = new String(from.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("{{page}}", last)
                    .getBytes(StandardCharsets.UTF_8);
            return answer(HttpStatus.OK)
                    .contentType(MediaType.parseMediaType("text/" + type + ";charset=UTF-8"))
                    .eTag("\"" + Integer.toHexString(Arrays.hashCode(content)) + "\"")
                    .body(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From the same path with a slash behind it, below which nothing is found. */
    ResponseEntity<byte[]> redirect() {
        return answer(HttpStatus.FOUND).location(URI.create("../" + last)).build();
    }

    /** No cache keeps what only some may see. */
    private static ResponseEntity.BodyBuilder answer(HttpStatus status) {
        return ResponseEntity.status(status)
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "no-referrer")
                .header(HttpHeaders.CACHE_CONTROL, "private, no-cache");
    }
}
