package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.storage.FileNames;
import io.github.ratelimit.content.cms.media.storage.FileType;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRange;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;

/**
 * Hands out uploaded files, whole or in ranges.
 *
 * <p>Each is served as what it was found to be when it was taken in, and to a browser that must not guess, run or frame
 * anything in it.
 */
@Controller
class UploadController {

    /** Chosen: a name may be given to another file once this one is deleted. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final UploadStore uploads;

    UploadController(UploadStore uploads) {
        this.uploads = uploads;
    }

    @GetMapping("/uploads/{year}/{month}/{name}")
    ResponseEntity<Resource> file(
            @PathVariable("year") String year,
            @PathVariable("month") String month,
            @PathVariable("name") String name,
            @RequestHeader(name = HttpHeaders.RANGE, required = false) @Nullable String range)
            throws IOException {
        Optional<Path> file = uploads.resolve(year + "/" + month + "/" + name).filter(Files::isRegularFile);
        if (file.isEmpty()) {
            return ResponseEntity.notFound().build();
        }
        try {
            return isBeyond(range, file.get()) ? unsatisfiable(file.get()) : answer(file.get(), name);
        } catch (NoSuchFileException e) {
            return ResponseEntity.notFound().build();
        }
    }

    private static boolean isBeyond(@Nullable String range, Path file) {
        try {
            HttpRange.toResourceRegions(HttpRange.parseRanges(range), new FileSystemResource(file));
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    /** Spring would answer the whole file with this status. */
    private static ResponseEntity<Resource> unsatisfiable(Path file) throws IOException {
        return ResponseEntity.status(HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
                .header(HttpHeaders.CONTENT_RANGE, "bytes */" + Files.size(file))
                .build();
    }

    private static ResponseEntity<Resource> answer(Path file, String name) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Optional<FileType> type =
                FileType.of(name, FileType.head(file)); // what lies on disk must still be what its name says
        ContentDisposition.Builder disposition = type.filter(FileType::isShown).isPresent()
                ? ContentDisposition.inline()
                : ContentDisposition.attachment();
        String tag = "\"" + Long.toHexString(attributes.size()) + "-"
                + Long.toHexString(attributes.lastModifiedTime().toMillis()) + "\"";
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType(
                        type.map(FileType::mediaType).orElse(MediaType.APPLICATION_OCTET_STREAM_VALUE)))
                .eTag(tag)
                .lastModified(attributes.lastModifiedTime().toInstant())
                .cacheControl(CacheControl.maxAge(KEPT).cachePublic())
                .header("Accept-Ranges", "bytes")
                .header("X-Content-Type-Options", "nosniff")
                .header("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
                .header("Cross-Origin-Resource-Policy", "cross-origin")
                .header("Content-Disposition", named(disposition, FileNames.clean(name)))
                .body(new FileSystemResource(file));
    }

    private static String named(ContentDisposition.Builder disposition, String name) {
        boolean isPlain = StandardCharsets.US_ASCII.newEncoder().canEncode(name);
        return disposition
                .filename(name, isPlain ? StandardCharsets.US_ASCII : StandardCharsets.UTF_8)
                .build()
                .toString();
    }
}
