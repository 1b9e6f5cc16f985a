package io.github.ratelimit.content.media;

import io.github.ratelimit.content.item.Item;
import io.github.ratelimit.content.item.ItemChanges;
import io.github.ratelimit.content.item.ItemColumn;
import io.github.ratelimit.content.item.ItemInput;
import io.github.ratelimit.content.item.ItemStore;
import io.github.ratelimit.content.item.ItemType;
import io.github.ratelimit.content.item.ItemWriter;
import io.github.ratelimit.content.media.image.ImageFormat;
import io.github.ratelimit.content.media.image.Modifier;
import io.github.ratelimit.content.media.image.PictureMeta;
import io.github.ratelimit.content.media.image.Pictures;
import io.github.ratelimit.content.media.image.PicturesBusyException;
import io.github.ratelimit.content.media.image.UnusableImageException;
import io.github.ratelimit.content.media.storage.FileNames;
import io.github.ratelimit.content.media.storage.UploadStore;
import io.github.ratelimit.content.text.HtmlPolicy;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestJson;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.content.web.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes, changes and deletes files together with their items.
 *
 * <p>A file lies whole under its name before its item is stored, and stays until its item is gone. Safe for concurrent use.
 */
@Component
class MediaWriter {

    private static final Logger log = LoggerFactory.getLogger(MediaWriter.class);

    private static final int LONGEST_ALT_TEXT = 10_000;

    /** Chosen: more writers of one item at once than anybody has. */
    private static final int MOST_TRIES = 20;

    private final Site site;
    private final UploadReader reader;
    private final UploadStore uploads;
    private final Pictures pictures;
    private final Renditions renditions;
    private final ItemWriter writer;
    private final ItemStore items;
    private final MediaStore store;

    MediaWriter(
            Site site,
            UploadReader reader,
            UploadStore uploads,
            Pictures pictures,
            Renditions renditions,
            ItemWriter writer,
            ItemStore items,
            MediaStore store) {
        this.site = site;
        this.reader = reader;
        this.uploads = uploads;
        this.pictures = pictures;
        this.renditions = renditions;
        this.writer = writer;
        this.items = items;
        this.store = store;
    }

    /** Takes a file in and makes its item. */
    Item create(RestRequest request) {
        String altText = altText(request).orElse("");
        UploadReader.Upload upload = reader.read(request);
        ItemInput input = withTexts(input(request), upload.title(), upload.meta());
        Item item = insert(
                request,
                input,
                upload.path(),
                new ItemChanges()
                        .set(ItemColumn.MIME_TYPE, upload.type().mediaType())
                        .set(ItemColumn.FILE, upload.path())
                        .set(ItemColumn.FILE_DETAILS, write(upload.details()))
                        .set(ItemColumn.ALT_TEXT, altText));
        try {
            return complete(item);
        } catch (PicturesBusyException e) {
            // The item is whole without its smaller pictures; the answer tells which are missing.
            return item;
        } catch (UnusableImageException e) {
            delete(item);
            throw RestError.of(500, "rest_upload_unknown_error", "The picture cannot be used: " + e.getMessage() + ".");
        } catch (IOException e) {
            throw new UncheckedIOException("smaller pictures could not be stored", e);
        }
    }

    /** Changes what is said about a file. */
    Item update(RestRequest request, Item item) {
        ItemChanges changes = new ItemChanges();
        altText(request).ifPresent(text -> changes.set(ItemColumn.ALT_TEXT, text));
        return writer.update(request, item, input(request), changes);
    }

    /** Deletes an item for good, and then its files. */
    void delete(Item item) {
        Optional<MediaFile> file = store.find(item.id());
        writer.delete(item);
        file.ifPresent(gone -> gone.allPaths().forEach(this::remove));
    }

    /** Makes the smaller pictures that an item lacks. */
    Item completeOrRefuse(Item item) {
        try {
            return complete(item);
        } catch (PicturesBusyException e) {
            throw RestError.of(503, "rest_upload_busy", "Too many pictures are being worked on; try again.");
        } catch (UnusableImageException e) {
            throw RestError.of(500, "rest_upload_unknown_error", "The picture cannot be used: " + e.getMessage() + ".");
        } catch (IOException e) {
            throw new UncheckedIOException("smaller pictures could not be stored", e);
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
            Path source = uploads.resolve(file.path())
                    .filter(Files::isRegularFile)
                    .orElseThrow(MediaWriter::unknownAttachment);
            int[] size = pictures.open(source, format, 0, picture -> {
                var edited = Pictures.edit(picture, modifiers);
                Pictures.write(edited, format, made);
                return new int[] {edited.getWidth(), edited.getHeight()};
            });
            ObjectNode details = Renditions.describe(size[0], size[1], Files.size(made), PictureMeta.none());
            if (file.details().get("image_meta") instanceof ObjectNode meta) {
                details.set("image_meta", meta.deepCopy());
            }
            details.putObject("parent_image")
                    .put("attachment_id", String.valueOf(item.id()))
                    .put("file", file.path());
            String stem = file.stem().endsWith("-edited") ? "" : "-edited";
            String path = uploads.publish(made, uploads.folder(), FileNames.withSuffix(file.fileName(), stem));
            Item created = insert(
                    request,
                    inherited(request, item),
                    path,
                    new ItemChanges()
                            .set(ItemColumn.MIME_TYPE, format.mediaType())
                            .set(ItemColumn.FILE, path)
                            .set(ItemColumn.FILE_DETAILS, write(details))
                            .set(ItemColumn.ALT_TEXT, altText(request).orElse(file.altText())));
            return completeOrRefuse(created);
        } catch (PicturesBusyException e) {
            throw RestError.of(503, "rest_upload_busy", "Too many pictures are being worked on; try again.");
        } catch (UnusableImageException e) {
            throw RestError.of(400, "rest_image_crop_failed", "The picture cannot be edited: " + e.getMessage() + ".");
        } catch (IOException e) {
            throw new UncheckedIOException("an edited picture could not be stored", e);
        } finally {
            remove(made);
        }
    }

    static RestError unknownAttachment() {
        return RestError.of(404, "rest_unknown_attachment", "Unable to get meta information for file.");
    }

    private Item insert(RestRequest request, ItemInput input, String path, ItemChanges columns) {
        boolean isStored = false;
        try {
            Item item = writer.create(request, ItemType.ATTACHMENT, input, columns);
            isStored = true;
            return item;
        } finally {
            if (!isStored) {
                remove(path);
            }
        }
    }

    private Item complete(Item item) throws IOException {
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
        for (int i = 0; i < MOST_TRIES; i++) {
            Item current = items.find(item.id())
                    .orElseThrow(() -> RestError.of(404, "rest_post_invalid_id", "Invalid post ID."));
            if (items.update(current, changes)) {
                return items.find(item.id()).orElse(current);
            }
        }
        throw RestError.of(409, "rest_conflict", "The item is being changed by others; try again.");
    }

    private ItemInput input(RestRequest request) {
        ItemInput sent = ItemInput.of(request, site.zone());
        return sent.withParent(request.arguments().integer("post"));
    }

    /** A title and a caption that nobody sends are those that the file brings. */
    private static ItemInput withTexts(ItemInput sent, String name, PictureMeta meta) {
        String title = sent.title()
                .filter(text -> !text.isEmpty())
                .orElseGet(() -> meta.title().isEmpty() ? name : HtmlPolicy.cleanTitle(meta.title()));
        Optional<String> caption =
                sent.excerpt().filter(text -> !text.isEmpty()).isPresent()
                                || meta.caption().isEmpty()
                        ? sent.excerpt()
                        : Optional.of(HtmlPolicy.cleanContent(meta.caption()));
        return sent.withTexts(Optional.of(title), sent.content(), caption);
    }

    private ItemInput inherited(RestRequest request, Item item) {
        ItemInput sent = ItemInput.of(request, site.zone());
        OptionalLong parent = request.arguments().integer("post");
        return sent.withTexts(
                        sent.title().or(() -> Optional.of(item.title().raw())),
                        sent.content().or(() -> Optional.of(item.content().raw())),
                        sent.excerpt().or(() -> Optional.of(item.excerpt().raw())))
                .withParent(parent.isPresent() ? parent : OptionalLong.of(item.parent()));
    }

    private static Optional<String> altText(RestRequest request) {
        Optional<String> sent = request.arguments().text("alt_text").map(HtmlPolicy::cleanTitle);
        if (sent.filter(text -> text.length() > LONGEST_ALT_TEXT).isPresent()) {
            throw RestError.of(400, "rest_content_too_long", "The text is longer than this server keeps.");
        }
        return sent;
    }

    private static String write(JsonNode details) {
        return new String(RestJson.write(details), StandardCharsets.UTF_8);
    }

    private void remove(String path) {
        try {
            uploads.delete(path);
        } catch (IOException e) {
            // The sweeper will find it.
            log.warn("an uploaded file could not be removed", e);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            log.warn("an unfinished file could not be removed", e);
        }
    }
}
