package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.image.ImageFormat;
import io.github.ratelimit.content.cms.media.image.PictureMeta;
import io.github.ratelimit.content.cms.media.image.UnusableImageException;
import io.github.ratelimit.content.cms.media.storage.FileNames;
import io.github.ratelimit.content.cms.media.storage.FileType;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.limits.AccountLimit;
import io.github.ratelimit.content.limits.GuessLimit;
import io.github.ratelimit.spring.RateLimitException;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.util.DigestUtils;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Takes in the file that a request brings: as its body, or as one of the parts of it. Safe for concurrent use. */
@Component
class UploadReader {

    private static final String RAW_REJECTION = "rest_upload_sideload_error";
    private static final String FORM_REJECTION = "rest_upload_unknown_error";

    /** What may stand beside a file. Chosen: as much as any body of arguments may hold, and the lines around the parts. */
    static final long MOST_BESIDE = 2 << 20;

    private final UploadStore uploads;
    private final Renditions renditions;
    private final long mostBytes;
    private final AccountLimit quota;

    UploadReader(UploadStore uploads, Renditions renditions, CmsSettings settings, AccountLimit quota) {
        this.quota = quota;
        this.uploads = uploads;
        this.renditions = renditions;
        this.mostBytes = settings.media().maxUploadSize().toBytes();
    }

    /**
     * A file that lies under its own name now, and belongs to no item yet.
     *
     * @param file where, and what is known about it
     * @param type what it is
     * @param sentTitle the name that a form gave the file, without its extension; empty where a field did
     */
    record Upload(MediaFile file, FileType type, String sentTitle) {

        /** Returns the name of the file without its extension: as a form sent it, else as it is stored. */
        String title() {
            return sentTitle.isEmpty() ? FileNames.stem(file.fileName()) : sentTitle;
        }
    }

    /**
     * Takes a file in.
     *
     * @throws RestError if there is none, or none that is taken
     */
    Upload read(RestRequest request) {
        boolean isForm = request.header("Content-Type")
                .filter(type -> type.toLowerCase(Locale.ROOT).startsWith("multipart/form-data"))
                .isPresent();
        try {
            if (!isForm) {
                return take(request, request.body().stream(), nameOfBody(request), RAW_REJECTION);
            }
            Part part = part(request.body().files());
            try (InputStream in = part.getInputStream()) {
                String name = Disposition.nameOfPart(part);
                Upload upload = take(request, in, name, FORM_REJECTION);
                return new Upload(
                        upload.file(), upload.type(), FileNames.stem(name).strip());
            }
        } catch (IOException e) {
            throw uploads.failure("an upload could not be stored", e);
        }
    }

    private static Part part(List<Part> files) {
        if (files.isEmpty()) {
            throw noData();
        }
        return files.stream()
                .filter(file -> file.getName().equals("file"))
                // Of fields of one name the last one counts, as everywhere.
                .reduce((first, second) -> second)
                .orElseThrow(() -> RestError.of(500, FORM_REJECTION, "Specified file failed upload test."));
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

    private static RestError noData() {
        return RestError.of(400, "rest_upload_no_data", "No data supplied.");
    }

    private Upload take(RestRequest request, InputStream in, String sentName, String rejection) throws IOException {
        try (UploadStore.Incoming incoming = uploads.receive(in)) {
            if (incoming.size() > mostBytes) {
                throw RestError.of(413, "rest_upload_file_too_big", "The file is larger than " + mostBytes + " bytes.");
            }
            requireQuota(request, incoming.size());
            String expected = request.header("Content-MD5").orElse("").strip();
            if (!expected.isEmpty() && !expected.equals(md5(incoming.file()))) {
                throw RestError.of(412, "rest_upload_hash_mismatch", "Content hash did not match expected.");
            }
            if (incoming.size() == 0) {
                throw RestError.of(500, rejection, "File is empty. Please upload something more substantial.");
            }
            byte[] head = FileType.head(incoming.file());
            String name = FileType.fittingName(FileNames.clean(sentName), head);
            FileType type = FileType.of(name, head)
                    .orElseThrow(
                            () -> RestError.of(500, rejection, "Sorry, you are not allowed to upload this file type."));
            Optional<ImageFormat> format = ImageFormat.ofMediaType(type.mediaType());
            MediaFile file = format.isPresent()
                    ? renditions.publish(incoming.file(), format.get(), name)
                    : asItCame(incoming, name, type, head);
            return new Upload(file, type, "");
        } catch (UnusableImageException e) {
            throw RestError.of(500, rejection, "The picture cannot be used: " + e.getMessage() + ".");
        }
    }

    /** Rejects what would make an account's files too many bytes for a day. */
    void requireQuota(RestRequest request, long size) {
        if (size == 0) {
            return;
        }
        try {
            quota.upload(request.caller().accountId(), size);
        } catch (RateLimitException rejected) {
            RestError tooMuch =
                    RestError.of(429, "rest_upload_quota", "You have uploaded too much today; try again tomorrow.");
            throw rejected.decision()
                    .retryAfter()
                    .map(wait -> tooMuch.withRetryAfter(GuessLimit.seconds(wait)))
                    .orElse(tooMuch); // it is more than a day's
        }
    }

    private MediaFile asItCame(UploadStore.Incoming incoming, String name, FileType type, byte[] head)
            throws IOException {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        if (type.kind().equals("image")) {
            int[] size = FileHeader.size(incoming.file());
            details = Renditions.describe(size[0], size[1], incoming.size(), PictureMeta.none());
        } else {
            if (type.isPlayed()) {
                FileHeader.putLength(details, incoming.file());
            }
            details.put("filesize", incoming.size());
            if (FileType.isWave(head)) {
                details.put("mime_type", "audio/wav");
            }
            details.putObject("sizes");
        }
        return new MediaFile(0, uploads.publish(incoming.file(), uploads.folder(), name), details, "");
    }

    /** Tells only whether a file arrived whole, as the interface asks; nothing is signed by it. */
    private static String md5(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return DigestUtils.md5DigestAsHex(in);
        }
    }
}
