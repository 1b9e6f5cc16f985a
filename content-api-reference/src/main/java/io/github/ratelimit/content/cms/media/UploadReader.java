package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.image.ImageFormat;
import io.github.ratelimit.content.cms.media.image.ImageHeader;
import io.github.ratelimit.content.cms.media.image.PictureMeta;
import io.github.ratelimit.content.cms.media.image.Pictures;
import io.github.ratelimit.content.cms.media.image.PicturesBusyException;
import io.github.ratelimit.content.cms.media.image.UnusableImageException;
import io.github.ratelimit.content.cms.media.storage.FileNames;
import io.github.ratelimit.content.cms.media.storage.FileType;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.rest.Payload;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.limits.AccountLimit;
import io.github.ratelimit.content.limits.GuessLimit;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Takes in the file that a request brings: as its body, or as one of the parts of it. Safe for concurrent use. */
@Component
class UploadReader {

    private static final String RAW_REFUSAL = "rest_upload_sideload_error";
    private static final String FORM_REFUSAL = "rest_upload_unknown_error";

    /** What may stand beside a file. Chosen: as much as any body of arguments may hold, and the lines around the parts. */
    static final long MOST_BESIDE = 2 << 20;

    /** Of a file that comes. Chosen: a limiter that asks Redis is asked some 25 times for the largest one. */
    private static final long COUNTED_AT_ONCE = 1 << 20;

    private static final Pattern ENDING = Pattern.compile("\\.[A-Za-z0-9]++$");

    /** Types of pictures that a form may claim beside ours; what the file is decides then. */
    private static final Set<String> CLAIMABLE = Set.of("image/avif", "image/svg+xml");

    private final UploadStore uploads;
    private final Pictures pictures;
    private final CmsSettings.Media settings;
    private final AccountLimit quota;

    UploadReader(
            UploadStore uploads, Pictures pictures, CmsSettings settings, @Qualifier("uploads") AccountLimit quota) {
        this.quota = quota;
        this.uploads = uploads;
        this.pictures = pictures;
        this.settings = settings.media();
    }

    /**
     * A file that lies under its own name now, and belongs to no item yet.
     *
     * @param path relative to the folder of uploads
     * @param type what it is
     * @param details what is known about it
     * @param meta what a camera wrote into it
     * @param sentTitle the name that a form gave the file, without its extension; empty where a field did
     */
    record Upload(String path, FileType type, ObjectNode details, PictureMeta meta, String sentTitle) {

        /** Returns the name of the file without its extension: as a form sent it, else as it is stored. */
        String title() {
            return sentTitle.isEmpty() ? FileNames.stem(path.substring(path.lastIndexOf('/') + 1)) : sentTitle;
        }

        private Upload titled(String title) {
            return new Upload(path, type, details, meta, title);
        }
    }

    /**
     * Takes a file in.
     *
     * @throws RestError if there is none, or none that is taken
     */
    Upload read(RestRequest request) {
        Payload payload = request.payload();
        boolean isForm = payload.contentType()
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("multipart/"))
                .isPresent();
        try {
            if (!isForm) {
                String name = nameOfBody(request);
                announce(request, announced(request));
                try (InputStream in = counted(request, payload.stream())) {
                    return take(request, in, name, RAW_REFUSAL);
                }
            }
            Payload.FilePart part = part(payload.files());
            try (InputStream in = part.open()) {
                String name = part.fileName();
                String file = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
                return take(request, in, file, FORM_REFUSAL)
                        .titled(FileNames.stem(file).strip());
            }
        } catch (UploadStore.TooLargeException e) {
            throw tooLarge();
        } catch (IOException e) {
            throw uploads.failure("an upload could not be stored", e);
        }
    }

    /**
     * Refuses what a form says is a picture of a kind that no smaller ones can be made of, before it is looked at.
     *
     * @throws RestError if its part claims such a type
     */
    static void requireKnownPictures(RestRequest request) {
        boolean isUnknown = request.payload().files().stream()
                .filter(file -> file.field().equals("file"))
                .flatMap(file -> file.contentType().stream())
                .map(type -> type.replaceFirst(";.*", "").strip())
                .anyMatch(type -> type.startsWith("image/")
                        && !CLAIMABLE.contains(type)
                        && ImageFormat.ofMediaType(type).isEmpty());
        if (isUnknown) {
            throw RestError.of(
                    400,
                    "rest_upload_image_type_not_supported",
                    "No smaller pictures can be made of this type; send it as JPEG or PNG.");
        }
    }

    private static Payload.FilePart part(List<Payload.FilePart> files) {
        if (files.isEmpty()) {
            throw noData();
        }
        return files.stream()
                .filter(file -> file.field().equals("file"))
                // Of fields of one name the last one counts, as everywhere.
                .reduce((first, second) -> second)
                .orElseThrow(() -> RestError.of(500, FORM_REFUSAL, "Specified file failed upload test."));
    }

    private static String nameOfBody(RestRequest request) {
        Optional<String> disposition = request.header("Content-Disposition");
        boolean isEmpty = request.header("Content-Length").orElse("0").equals("0")
                && request.header("Transfer-Encoding").isEmpty();
        if (isEmpty) {
            throw noData();
        }
        if (disposition.isEmpty()) {
            throw RestError.of(400, "rest_upload_no_content_disposition", "No Content-Disposition supplied.");
        }
        return Disposition.fileName(disposition.get())
                .orElseThrow(() -> RestError.of(
                        400,
                        "rest_upload_invalid_disposition",
                        "Invalid Content-Disposition supplied. Content-Disposition needs to be formatted as"
                                + " `attachment; filename=\"image.png\"` or similar."));
    }

    /** Arguments were read from such a body; as a file it would be of no type that is taken. */
    private static boolean isJson(String contentType) {
        return contentType.toLowerCase(Locale.ROOT).startsWith("application/json");
    }

    private static RestError notAllowed(String refusal) {
        return RestError.of(500, refusal, "Sorry, you are not allowed to upload this file type.");
    }

    private static RestError noData() {
        return RestError.of(400, "rest_upload_no_data", "No data supplied.");
    }

    private Upload take(RestRequest request, InputStream in, String sentName, String refusal) throws IOException {
        try (UploadStore.Incoming incoming =
                uploads.receive(in, settings.maxUploadSize().toBytes())) {
            if (incoming.size() == 0 && refusal.equals(RAW_REFUSAL)) {
                boolean isJson = request.header("Content-Type")
                        .filter(UploadReader::isJson)
                        .isPresent();
                throw isJson ? notAllowed(refusal) : noData();
            }
            String expected = request.header("Content-MD5").orElse("").strip();
            if (!expected.isEmpty() && !expected.equals(incoming.md5())) {
                throw RestError.of(412, "rest_upload_hash_mismatch", "Content hash did not match expected.");
            }
            if (incoming.size() == 0) {
                throw RestError.of(500, refusal, "File is empty. Please upload something more substantial.");
            }
            byte[] head = head(incoming.file());
            // Cleaning would make an ending out of what is none, as clients know it: a quotation mark or dot behind it.
            if (!ENDING.matcher(sentName).find()) {
                throw notAllowed(refusal);
            }
            String name = FileType.fittingName(FileNames.clean(sentName), head);
            FileType type = FileType.of(name, head).orElseThrow(() -> notAllowed(refusal));
            Optional<ImageFormat> format = ImageFormat.ofMediaType(type.mediaType());
            return format.isPresent() ? picture(incoming, name, type, format.get()) : other(incoming, name, type, head);
        } catch (UnusableImageException e) {
            throw RestError.of(500, refusal, "The picture cannot be used: " + e.getMessage() + ".");
        }
    }

    /**
     * Takes a body from what its account may upload in a day, as long as it says it is, or else as much as came of it: what is cut off or refused takes the
     * disk as well while it comes.
     *
     * @param bytes of the body; 0 as long as nobody knows
     * @throws RestError if it is more than is left, or than any file may have
     */
    void announce(RestRequest request, long bytes) {
        if (announced(request) > settings.maxUploadSize().toBytes() + MOST_BESIDE) {
            throw tooLarge();
        }
        requireQuota(request, bytes);
    }

    /** Tells how long a body says it is; 0 where it does not: a file counts as it comes then, and a form when no more of it comes. */
    private static long announced(RestRequest request) {
        return request.header("Content-Length").map(Long::parseLong).orElse(0L);
    }

    /** Counts what comes of a file that does not say how long it is, whatever becomes of it. */
    private InputStream counted(RestRequest request, InputStream in) {
        return announced(request) > 0 ? in : new Counted(request, in);
    }

    private final class Counted extends FilterInputStream {
        private final RestRequest request;
        private long uncounted;

        Counted(RestRequest request, InputStream in) {
            super(in);
            this.request = request;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            count(next < 0 ? next : 1);
            return next;
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            int come = super.read(into, from, most);
            count(come);
            return come;
        }

        @Override
        public void close() throws IOException {
            try {
                count();
            } finally {
                super.close();
            }
        }

        private void count(int come) {
            uncounted += Math.max(0, come);
            if (come < 0 || uncounted >= COUNTED_AT_ONCE) {
                count();
            }
        }

        private void count() {
            long size = uncounted;
            uncounted = 0; // also where it is refused
            requireQuota(request, size);
        }
    }

    private RestError tooLarge() {
        return RestError.of(
                413,
                "rest_upload_file_too_big",
                "The file is larger than " + settings.maxUploadSize().toBytes() + " bytes.");
    }

    /** Refuses what would make an account's files too many bytes for a day. */
    void requireQuota(RestRequest request, long size) {
        if (size == 0) {
            return;
        }
        quota.refusal(request.caller().accountId(), Map.of(), size).ifPresent(refused -> {
            RestError tooMuch =
                    RestError.of(429, "rest_upload_quota", "You have uploaded too much today; try again tomorrow.");
            throw refused.retryAfter()
                    .map(wait -> tooMuch.withRetryAfter(GuessLimit.seconds(wait)))
                    .orElse(tooMuch); // it is more than a day's
        });
    }

    private Upload picture(UploadStore.Incoming incoming, String name, FileType type, ImageFormat format)
            throws IOException {
        ImageHeader header = pictures.inspect(incoming.file(), format);
        PictureMeta meta = PictureMeta.read(incoming.file(), format);
        if (!pictures.tellsPlace(incoming.file(), meta)) {
            return picture(incoming.file(), name, type, meta, header.width(), header.height());
        }
        Path written = uploads.newFile();
        try {
            int[] size = pictures.open(incoming.file(), format, meta.orientation(), picture -> {
                pictures.write(picture, format, written);
                return new int[] {picture.getWidth(), picture.getHeight()};
            });
            return picture(written, name, type, meta.upright(), size[0], size[1]);
        } catch (PicturesBusyException e) {
            throw RestError.of(503, "rest_upload_busy", "Too many pictures are being worked on; try again.");
        } finally {
            Files.deleteIfExists(written);
        }
    }

    private Upload picture(Path file, String name, FileType type, PictureMeta meta, int width, int height)
            throws IOException {
        long size = Files.size(file);
        String path = uploads.publish(file, uploads.folder(), name);
        return new Upload(path, type, Renditions.describe(width, height, size, meta), meta, "");
    }

    private Upload other(UploadStore.Incoming incoming, String name, FileType type, byte[] head) throws IOException {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        if (FileType.isWave(head)) {
            WaveDetails.put(details, incoming.file());
            details.put("filesize", incoming.size());
            details.put("mime_type", "audio/wav");
        } else {
            details.put("filesize", incoming.size());
        }
        details.putObject("sizes");
        String path = uploads.publish(incoming.file(), uploads.folder(), name);
        return new Upload(path, type, details, PictureMeta.none(), "");
    }

    private static byte[] head(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(FileType.HEAD_BYTES);
        }
    }
}
