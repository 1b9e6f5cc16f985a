package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.ItemChanges;
import io.github.ratelimit.content.cms.item.ItemColumn;
import io.github.ratelimit.content.cms.item.ItemDraft;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ItemWriter;
import io.github.ratelimit.content.cms.item.Text;
import io.github.ratelimit.content.cms.media.image.ImageFormat;
import io.github.ratelimit.content.cms.media.image.Modifier;
import io.github.ratelimit.content.cms.media.image.PictureMeta;
import io.github.ratelimit.content.cms.media.image.Pictures;
import io.github.ratelimit.content.cms.media.image.UnusableImageException;
import io.github.ratelimit.content.cms.media.storage.FileNames;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Site;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.server.http.UnavailableException;
import io.github.ratelimit.content.server.store.Writes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes, changes and deletes files together with their items.
 *
 * <p>A file lies whole under its name before its item is stored, and stays until its item is gone, or was surely not stored. Safe for concurrent use.
 */
@Component
class MediaWriter {

    private static final Logger log = LoggerFactory.getLogger(MediaWriter.class);

    private static final Pattern EDITED = Pattern.compile("-edited(?:-[0-9]+)?$");

    private final Site site;
    private final UploadReader reader;
    private final UploadStore uploads;
    private final Pictures pictures;
    private final Renditions renditions;
    private final ItemWriter writer;
    private final MediaStore store;
    private final UploadedFiles files;

    MediaWriter(
            Site site,
            UploadReader reader,
            UploadStore uploads,
            Pictures pictures,
            Renditions renditions,
            ItemWriter writer,
            MediaStore store,
            UploadedFiles files) {
        this.site = site;
        this.reader = reader;
        this.uploads = uploads;
        this.pictures = pictures;
        this.renditions = renditions;
        this.writer = writer;
        this.store = store;
        this.files = files;
    }

    /** Takes a file in and makes its item. */
    Item create(RestRequest request) {
        ItemDraft sent = input(request);
        UploadReader.Upload upload = reader.read(request);
        if (request.arguments().has("featured_media")
                && !hasPicture(upload.type().mediaType())) {
            files.remove(upload.path());
            throw RestError.of(
                    400, "rest_no_featured_media", "Files of this media type have no picture that stands for them.");
        }
        boolean isTrusted = request.caller().may(Capability.UNFILTERED_HTML);
        ItemDraft input =
                withTexts(sent, isTrusted ? upload.title() : HtmlPolicy.cleanTitle(upload.title()), upload.meta());
        Item item = insert(
                request,
                input,
                upload.path(),
                new ItemChanges()
                        .set(ItemColumn.MIME_TYPE, upload.type().mediaType())
                        .set(ItemColumn.FILE, upload.path())
                        .set(ItemColumn.FILE_DETAILS, write(upload.details())));
        return completeNew(request, item);
    }

    /** Changes what is said about a file. */
    Item update(RestRequest request, Item item) {
        ItemDraft input = input(request);
        return writer.update(request, item, hasPicture(item.mimeType()) ? input : input.withoutFeaturedMedia());
    }

    /** Sounds and films are shown by a picture; pictures and documents show themselves. */
    private static boolean hasPicture(String mediaType) {
        return mediaType.startsWith("audio/") || mediaType.startsWith("video/");
    }

    /** Deletes an item for good, and then its files. */
    void delete(RestRequest request, Item item) {
        writer.delete(request, item);
    }

    /** Makes the smaller pictures of a new item. If that fails, the item stays, and its answer tells which are missing. */
    private Item completeNew(RestRequest request, Item item) {
        try {
            return complete(request, item);
        } catch (UnusableImageException e) {
            delete(request, item);
            throw unusable(e);
        } catch (IOException | UnavailableException | DataAccessException e) {
            log.warn("smaller pictures are missing of item {}", item.id(), e);
            return item;
        }
    }

    /** Makes the smaller pictures that an item lacks. */
    Item completeOrRefuse(RestRequest request, Item item) {
        try {
            return complete(request, item);
        } catch (UnusableImageException e) {
            throw unusable(e);
        } catch (IOException e) {
            throw uploads.failure("smaller pictures could not be stored", e);
        }
    }

    /**
     * Makes a new item of a picture and the steps of an edit.
     *
     * @param item the picture's; stays as it is
     * @param file what is shown of it
     */
    Item edit(RestRequest request, Item item, MediaFile file, ImageFormat format, List<Modifier> modifiers) {
        Path made = uploads.newFile();
        try {
            // The original, not what is shown in its place: no edit loses what scaling has left out.
            Path source = uploads.resolve(file.originalPath())
                    .filter(Files::isRegularFile)
                    .orElseThrow(MediaWriter::unknownAttachment);
            int orientation = PictureMeta.read(source, format).orientation();
            int[] size = pictures.open(source, format, orientation, picture -> {
                var edited = pictures.edit(picture, modifiers);
                pictures.write(edited, format, made);
                return new int[] {edited.getWidth(), edited.getHeight()};
            });
            long bytes = Files.size(made);
            reader.requireQuota(request, bytes);
            ObjectNode details = Renditions.describe(size[0], size[1], bytes, PictureMeta.none());
            if (file.details().get("image_meta") instanceof ObjectNode meta) {
                details.set("image_meta", meta.deepCopy());
            }
            details.putObject("parent_image")
                    .put("attachment_id", String.valueOf(item.id()))
                    .put("file", file.originalPath());
            String path = uploads.publish(made, uploads.folder(), editedName(file.fileName()));
            Item created = insert(
                    request,
                    inherited(request, item),
                    path,
                    new ItemChanges()
                            .set(ItemColumn.MIME_TYPE, format.mediaType())
                            .set(ItemColumn.FILE, path)
                            .set(ItemColumn.FILE_DETAILS, write(details))
                            .set(ItemColumn.ALT_TEXT, file.altText()));
            return completeNew(request, created);
        } catch (UnusableImageException e) {
            throw RestError.of(400, "rest_image_crop_failed", "The picture cannot be edited: " + e.getMessage() + ".");
        } catch (IOException e) {
            throw uploads.failure("an edited picture could not be stored", e);
        } finally {
            remove(made);
        }
    }

    /** An edit of an edit is called like the first one; a free number tells them apart. */
    private static String editedName(String name) {
        String stem = EDITED.matcher(FileNames.stem(name)).replaceFirst("") + "-edited";
        return FileNames.withStem(name, stem);
    }

    private static RestError unusable(UnusableImageException reason) {
        return RestError.of(
                500, "rest_upload_unknown_error", "The picture cannot be used: " + reason.getMessage() + ".");
    }

    static RestError unknownAttachment() {
        return RestError.of(404, "rest_unknown_attachment", "Unable to get meta information for file.");
    }

    private Item insert(RestRequest request, ItemDraft input, String path, ItemChanges columns) {
        try {
            return writer.create(request, ItemType.ATTACHMENT, input, columns);
        } catch (RuntimeException failure) {
            // Where nobody knows whether the item is stored, the sweeper asks the database.
            if (failure instanceof RestError || Writes.isSurelyNotStored(failure)) {
                files.remove(path);
            }
            throw failure;
        }
    }

    private Item complete(RestRequest request, Item item) throws IOException {
        Optional<ImageFormat> format = ImageFormat.ofMediaType(item.mimeType());
        Optional<MediaFile> file = store.find(item.id());
        if (format.isEmpty() || file.isEmpty()) {
            return item;
        }
        MediaFile made = renditions.complete(file.get(), format.get());
        if (made.equals(file.get())) {
            return item;
        }
        ItemChanges changes =
                new ItemChanges().set(ItemColumn.FILE, made.path()).set(ItemColumn.FILE_DETAILS, write(made.details()));
        return writer.update(request, item, changes);
    }

    private ItemDraft input(RestRequest request) {
        return ItemDraft.of(request, MediaFields.TABLE, site.zone());
    }

    /** The file brings its title and its caption where nobody sends them. */
    private static ItemDraft withTexts(ItemDraft sent, String name, PictureMeta meta) {
        String title = meta.title().isBlank() ? name : HtmlPolicy.cleanTitle(meta.title());
        String caption = HtmlPolicy.cleanContent(meta.caption());
        return sent.withTexts(
                sent.title().filter(text -> !text.isEmpty()).or(() -> Optional.of(title)),
                sent.content(),
                sent.excerpt().filter(text -> !text.isEmpty()).or(() -> Optional.of(caption)));
    }

    private ItemDraft inherited(RestRequest request, Item item) {
        ItemDraft sent = input(request);
        return sent.withoutFeaturedMedia()
                .withTexts(
                        sent.title().or(() -> Optional.of(taken(request, item.title(), HtmlPolicy::cleanTitle))),
                        sent.content().or(() -> Optional.of(taken(request, item.content(), HtmlPolicy::cleanContent))),
                        sent.excerpt().or(() -> Optional.of(taken(request, item.excerpt(), HtmlPolicy::cleanContent))));
    }

    /** What is taken from another file is the caller's own text now: somebody without raw HTML makes none of it. */
    private static String taken(RestRequest request, Text text, UnaryOperator<String> cleaning) {
        return request.caller().may(Capability.UNFILTERED_HTML) ? text.raw() : cleaning.apply(text.raw());
    }

    private static String write(JsonNode details) {
        return new String(RestJson.write(details), StandardCharsets.UTF_8);
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            log.warn("an unfinished file could not be removed", e);
        }
    }
}
