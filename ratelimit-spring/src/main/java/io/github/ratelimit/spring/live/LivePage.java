package io.github.ratelimit.spring.live;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What is served: a page, its style and its script, and the header fields that let it run nothing else.
 *
 * <p>Immutable and safe for concurrent use.
 */
public final class LivePage {

    /** Where the frames are, below the page. */
    static final String EVENTS = "/events";

    /** How long one connection lasts; the browser comes back by itself, and is asked again who it is. Chosen: short enough for that. */
    static final long LIFETIME_MILLIS = 15 * 60 * 1000;

    /** In seconds; for whom there is no room. */
    static final String RETRY_AFTER = "10";

    private static final String FORM = "(/[A-Za-z0-9._~-]+)+";

    /**
     * A file of the page.
     *
     * @param type its media type
     * @param content its bytes, not to be changed
     * @param tag its entity tag
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record File(String type, byte[] content, String tag) {}

    private final String path;
    private final Map<String, File> files = new LinkedHashMap<>(); // by their path below the page

    /**
     * Reads the files, for a page that explains no requests.
     *
     * @param path where the page is, below the application's root: one or more of {@code /} and {@code A-Z a-z 0-9 . _ ~ -}
     * @throws IllegalArgumentException if the path is not of that form
     */
    public LivePage(String path) {
        this(path, "");
    }

    /**
     * Reads the files.
     *
     * @param path where the page is, below the application's root: one or more of {@code /} and {@code A-Z a-z 0-9 . _ ~ -}
     * @param explain where requests are explained, below the application's root as well; anything that is no such path: nowhere, and the page does not offer it
     * @throws IllegalArgumentException if the path is not of that form
     */
    public LivePage(String path, String explain) {
        if (!path.matches(FORM) || path.contains("/.")) {
            throw new IllegalArgumentException(
                    "path must begin with a slash, end without one and consist of A-Z a-z 0-9 . _ ~ - between them, was '%s'"
                            .formatted(path));
        }
        this.path = path;
        String last = path.substring(path.lastIndexOf('/') + 1);
        // By relative addresses, which hold below whatever a proxy or a context path puts before them.
        String up = "../".repeat(path.split("/", -1).length - 2);
        String from = explain.matches(FORM) ? up + explain.substring(1) : "";
        files.put("", file("live.html", "text/html;charset=UTF-8", last, from));
        files.put("/live.css", file("live.css", "text/css;charset=UTF-8", last, from));
        files.put("/live.js", file("live.js", "text/javascript;charset=UTF-8", last, from));
        files.put("/theme.js", file("theme.js", "text/javascript;charset=UTF-8", last, from));
    }

    private static File file(String name, String type, String last, String explain) {
        try (InputStream from = LivePage.class.getResourceAsStream(name)) {
            if (from == null) {
                throw new IllegalStateException("missing from the jar: " + name);
            }
            byte[] content = new String(from.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("{{page}}", last)
                    .replace("{{explain}}", explain)
                    .getBytes(StandardCharsets.UTF_8);
            return new File(type, content, "\"" + Integer.toHexString(Arrays.hashCode(content)) + "\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the page is, below the application's root. */
    public String path() {
        return path;
    }

    /** Where the page is, as seen from the same path with a slash behind it. */
    String fromBelow() {
        return "../" + path.substring(path.lastIndexOf('/') + 1);
    }

    Optional<File> file(String below) {
        return Optional.ofNullable(files.get(below));
    }

    /** The paths of the files, below the page. */
    Iterable<String> names() {
        return files.keySet();
    }

    /** The fields of every answer. No cache keeps what only some may see. */
    static Map<String, String> fields() {
        return Map.of(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
                "X-Content-Type-Options",
                "nosniff",
                "Referrer-Policy",
                "no-referrer",
                "Cache-Control",
                "private, no-cache");
    }
}
