package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.cms.item.Item.Text;
import io.github.ratelimit.content.cms.item.ItemChanges;
import io.github.ratelimit.content.cms.item.ItemColumn;
import io.github.ratelimit.content.cms.item.ItemDraft;
import io.github.ratelimit.content.cms.item.ItemType;
import io.github.ratelimit.content.cms.item.ItemWriter;
import io.github.ratelimit.content.cms.media.image.ImageFormat;
import io.github.ratelimit.content.cms.media.image.Modifier;
import io.github.ratelimit.content.cms.media.image.PictureMeta;
import io.github.ratelimit.content.cms.media.image.Pictures;
import io.github.ratelimit.content.cms.media.image.UnusableImageException;
import io.github.ratelimit.content.cms.media.storage.FileNames;
import io.github.ratelimit.content.cms.media.storage.FileType;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.cms.rest.RestError;
import io.github.ratelimit.content.cms.rest.RestJson;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.security.Capability;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.text.HtmlPolicy;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.store.Writes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
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

    private static final Pattern EDITED = Pattern.compile("-edited(?:-[0-9]+)?$");

    private static final Pattern NUMBER = Pattern.compile("[0-9]+(?:e[0-9]+)?");

    private final CmsSettings.Site site;
    private final UploadReader reader;
    private final UploadStore uploads;
    private final Pictures pictures;
    private final Renditions renditions;
    private final ItemWriter writer;
    private final MediaStore store;
    private final UploadedFiles files;

    MediaWriter(
            CmsSettings.Site site,
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
        String type = upload.type().mediaType();
        if (request.arguments().has("featured_media") && !hasPicture(type)) {
            files.remove(upload.file());
            throw RestError.of(
                    400, "rest_no_featured_media", "Files of this media type have no picture that stands for them.");
        }
        boolean isTrusted = request.caller().may(Capability.UNFILTERED_HTML);
        String title = isTrusted ? upload.title() : HtmlPolicy.cleanTitle(upload.title());
        ItemDraft input = withTexts(sent, title, upload.file().details().path("image_meta"));
        return insert(request, input, upload.file(), type, new ItemChanges());
    }

    /** Changes what is said about a file. */
    Item update(RestRequest request, Item item) {
        ItemDraft input = input(request);
        return writer.update(request, item, hasPicture(item.mimeType()) ? input : input.withoutFeaturedMedia());
    }

    /** Sounds and films are shown by a picture; pictures and documents show themselves. */
    private static boolean hasPicture(String mediaType) {
        return new FileType(mediaType).isPlayed();
    }

    /** Deletes an item for good, and then its files. */
    void delete(RestRequest request, Item item) {
        writer.delete(request, item);
    }

    /** Makes the smaller pictures that an item lacks. */
    Item complete(RestRequest request, Item item) {
        Optional<ImageFormat> format = ImageFormat.ofMediaType(item.mimeType());
        Optional<MediaFile> file = store.find(item.id());
        if (format.isEmpty() || file.isEmpty()) {
            return item;
        }
        try {
            MediaFile made = renditions.complete(file.get(), format.get());
            return made.equals(file.get()) ? item : writer.update(request, item, columns(made, new ItemChanges()));
        } catch (UnusableImageException e) {
            throw RestError.of(500, "rest_upload_unknown_error", "The picture cannot be used: " + e.getMessage() + ".");
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
        try {
            // The original, not what is shown in its place: no edit loses what scaling has left out.
            Path source = uploads.resolve(file.originalPath())
                    .filter(Files::isRegularFile)
                    .orElseThrow(MediaWriter::unknownAttachment);
            PictureMeta meta = file.details().get("image_meta") instanceof ObjectNode shown
                    ? new PictureMeta(shown.deepCopy(), 0, false)
                    : PictureMeta.none();
            MediaFile made = pictures.open(
                    source,
                    pictures.inspect(source, format),
                    picture -> renditions.publish(
                            pictures.edit(picture, modifiers),
                            format,
                            editedName(file.fileName()),
                            meta,
                            size -> reader.requireQuota(request, size)));
            made.details()
                    .putObject("parent_image")
                    .put("attachment_id", String.valueOf(item.id()))
                    .put("file", file.originalPath());
            ItemChanges changes = new ItemChanges().set(ItemColumn.ALT_TEXT, file.altText());
            return insert(request, inherited(request, item), made, format.mediaType(), changes);
        } catch (UnusableImageException e) {
            throw RestError.of(400, "rest_image_crop_failed", "The picture cannot be edited: " + e.getMessage() + ".");
        } catch (IOException e) {
            throw uploads.failure("an edited picture could not be stored", e);
        }
    }

    /** An edit of an edit is called like the first one; a free number tells them apart. */
    private static String editedName(String name) {
        String stem = EDITED.matcher(FileNames.stem(name)).replaceFirst("") + "-edited";
        return FileNames.withStem(name, stem);
    }

    static RestError unknownAttachment() {
        return RestError.of(404, "rest_unknown_attachment", "Unable to get meta information for file.");
    }

    private Item insert(RestRequest request, ItemDraft input, MediaFile file, String type, ItemChanges changes) {
        try {
            return writer.create(
                    request, ItemType.ATTACHMENT, input, columns(file, changes).set(ItemColumn.MIME_TYPE, type));
        } catch (RuntimeException failure) {
            // Where nobody knows whether the item is stored, the sweeper asks the database.
            if (failure instanceof RestError || Writes.isSurelyNotStored(failure)) {
                files.remove(file);
            }
            throw failure;
        }
    }

    private static ItemChanges columns(MediaFile file, ItemChanges changes) {
        String details = new String(RestJson.write(file.details()), StandardCharsets.UTF_8);
        return changes.set(ItemColumn.FILE, file.path()).set(ItemColumn.FILE_DETAILS, details);
    }

    private ItemDraft input(RestRequest request) {
        return ItemDraft.of(request, MediaFields.TABLE, site.timezone());
    }

    /** The file brings its title and its caption where nobody sends them. A number names nothing. */
    private static ItemDraft withTexts(ItemDraft sent, String name, JsonNode meta) {
        String told = meta.path("title").asString("");
        boolean isNamed = !told.isEmpty() && !NUMBER.matcher(Slugs.of(told)).matches();
        String title = isNamed ? HtmlPolicy.cleanTitle(told) : name;
        String caption = HtmlPolicy.cleanContent(meta.path("caption").asString(""));
        return sent.withTexts(
                sent.title().filter(text -> !text.isEmpty()).or(() -> Optional.of(title)),
                sent.content(),
                sent.excerpt().filter(text -> !text.isEmpty()).or(() -> Optional.of(caption)));
    }

    private ItemDraft inherited(RestRequest request, Item item) {
        ItemDraft sent = input(request);
        UnaryOperator<String> cleaning = text -> HtmlPolicy.cleanContent(text, request.baseUrl());
        return sent.withoutFeaturedMedia()
                .withTexts(
                        sent.title().or(() -> Optional.of(taken(request, item.title(), HtmlPolicy::cleanTitle))),
                        sent.content().or(() -> Optional.of(taken(request, item.content(), cleaning))),
                        sent.excerpt().or(() -> Optional.of(taken(request, item.excerpt(), cleaning))));
    }

    /** What is taken from another file is the caller's own text now: somebody without raw HTML makes none of it. */
    private static String taken(RestRequest request, Text text, UnaryOperator<String> cleaning) {
        return request.caller().may(Capability.UNFILTERED_HTML) ? text.raw() : cleaning.apply(text.raw());
    }
}
