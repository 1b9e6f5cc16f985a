package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.image.ImageFormat;
import io.github.ratelimit.content.cms.media.image.PictureMeta;
import io.github.ratelimit.content.cms.media.image.Pictures;
import io.github.ratelimit.content.cms.media.image.Pictures.Inspected;
import io.github.ratelimit.content.cms.media.image.SubSizes;
import io.github.ratelimit.content.cms.media.image.UnusableImageException;
import io.github.ratelimit.content.cms.media.storage.FileNames;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import io.github.ratelimit.content.server.http.UnavailableException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes the smaller pictures of a picture, and describes all of them. Safe for concurrent use. */
@Component
class Renditions {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static final Logger log = LoggerFactory.getLogger(Renditions.class);

    private final Pictures pictures;
    private final UploadStore uploads;

    Renditions(Pictures pictures, UploadStore uploads) {
        this.pictures = pictures;
        this.uploads = uploads;
    }

    /** Describes a picture that has no smaller ones yet. */
    static ObjectNode describe(int width, int height, long size, PictureMeta meta) {
        ObjectNode details = JSON.objectNode().put("width", width).put("height", height);
        details.put("filesize", size);
        details.putObject("sizes");
        details.set("image_meta", meta.shown());
        return details;
    }

    /**
     * Gives a new picture its name, and makes what belongs to it. One that tells a place is written anew. One that cannot be decoded is kept as it came.
     *
     * @throws UnusableImageException if it is too large, or no picture of this format, or tells a place and cannot be decoded
     */
    MediaFile publish(Path file, ImageFormat format, String name) throws IOException {
        Inspected picture = pictures.inspect(file, format);
        if (picture.tellsPlace()) {
            return pictures.open(
                    file,
                    picture,
                    pixels -> publish(pixels, format, name, picture.meta().upright(), size -> {}));
        }
        MediaFile whole = publish(file, name, picture);
        return completed(whole, () -> complete(whole, picture));
    }

    /** Writes a new picture, and makes what belongs to it. The size in bytes is accepted before it gets its name. */
    MediaFile publish(BufferedImage pixels, ImageFormat format, String name, PictureMeta meta, LongConsumer acceptance)
            throws IOException {
        Path made = uploads.newFile();
        try {
            pictures.write(pixels, format, made);
            acceptance.accept(Files.size(made));
            Inspected picture = new Inspected(format, pixels.getWidth(), pixels.getHeight(), 1, meta, false);
            MediaFile whole = publish(made, name, picture);
            return completed(whole, () -> make(whole, picture, pixels));
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private MediaFile publish(Path file, String name, Inspected picture) throws IOException {
        ObjectNode details = describe(picture.width(), picture.height(), Files.size(file), picture.meta());
        return new MediaFile(0, uploads.publish(file, uploads.folder(), name), details, "");
    }

    private interface Making {
        MediaFile make() throws IOException;
    }

    /** A new picture stays if smaller ones fail, and its answer tells which are missing. */
    private static MediaFile completed(MediaFile whole, Making making) {
        try {
            return making.make();
        } catch (IOException | UnavailableException e) {
            log.warn("smaller pictures are missing of {}", whole.path(), e);
            return whole;
        }
    }

    /**
     * Makes what is missing: the upright or scaled-down picture that is shown in place of the original, and every
     * smaller one.
     *
     * @param file the picture as it is stored; not changed
     * @param format of the picture
     * @return the same with what was made; nothing is where pictures of this format are not written
     * @throws UnusableImageException if the picture cannot be decoded
     */
    MediaFile complete(MediaFile file, ImageFormat format) throws IOException {
        return complete(file, pictures.inspect(find(file.originalPath()), format));
    }

    private MediaFile complete(MediaFile file, Inspected picture) throws IOException {
        return pictures.open(find(file.originalPath()), picture, pixels -> make(file, picture, pixels));
    }

    private MediaFile make(MediaFile file, Inspected of, BufferedImage picture) throws IOException {
        ImageFormat format = of.format();
        if (!pictures.writes(format)) {
            return file;
        }
        ObjectNode details = file.details().deepCopy();
        String path = file.path();
        boolean isUpright = of.meta().orientation() <= 1;
        boolean isLarge = SubSizes.shown(of.width(), of.height()).isPresent();
        // What is made of an animation is one frame of it, so the animation itself stays what is shown.
        if ((isLarge || !isUpright) && of.frames() == 1 && !details.has("original_image")) {
            BufferedImage shown = isLarge ? Pictures.toLargestShown(picture) : picture;
            String name = FileNames.withSuffix(file.fileName(), isLarge ? "-scaled" : "-rotated");
            path = file.beside(name);
            long size = store(shown, format, path);
            details.put("width", shown.getWidth())
                    .put("height", shown.getHeight())
                    .put("filesize", size);
            details.put("original_image", file.fileName());
            if (!isUpright && details.get("image_meta") instanceof ObjectNode meta) {
                meta.put("orientation", 1);
            }
        }
        ObjectNode sizes = (ObjectNode) details.path("sizes");
        for (SubSizes.Size size : SubSizes.all()) {
            // The size of what is shown may be rounded already, so what was decoded is measured.
            var scaling = SubSizes.scaling(size, picture.getWidth(), picture.getHeight());
            if (scaling.isPresent() && !sizes.has(size.name())) {
                sizes.set(size.name(), size(file, format, picture, scaling.get()));
            }
        }
        return new MediaFile(file.itemId(), path, details, file.altText());
    }

    private ObjectNode size(MediaFile file, ImageFormat format, BufferedImage picture, SubSizes.Scaling to)
            throws IOException {
        String name = FileNames.withSuffix(file.fileName(), "-" + to.width() + "x" + to.height());
        long bytes = store(Pictures.scale(picture, to), format, file.beside(name));
        ObjectNode node = JSON.objectNode().put("file", name);
        node.put("width", to.width()).put("height", to.height()).put("filesize", bytes);
        return node.put("mime_type", format.mediaType());
    }

    private long store(BufferedImage picture, ImageFormat format, String path) throws IOException {
        Path made = uploads.newFile();
        try {
            pictures.write(picture, format, made);
            long size = Files.size(made);
            uploads.replace(made, path);
            return size;
        } finally {
            Files.deleteIfExists(made);
        }
    }

    private Path find(String path) throws IOException {
        return uploads.resolve(path).orElseThrow(() -> new UnusableImageException("the file is not there"));
    }
}
