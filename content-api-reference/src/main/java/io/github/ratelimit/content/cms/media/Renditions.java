package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.media.image.ImageFormat;
import io.github.ratelimit.content.cms.media.image.ImageHeader;
import io.github.ratelimit.content.cms.media.image.PictureMeta;
import io.github.ratelimit.content.cms.media.image.Pictures;
import io.github.ratelimit.content.cms.media.image.SubSizes;
import io.github.ratelimit.content.cms.media.image.UnusableImageException;
import io.github.ratelimit.content.cms.media.storage.FileNames;
import io.github.ratelimit.content.cms.media.storage.UploadStore;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Makes the smaller pictures of a picture, and describes all of them. Safe for concurrent use. */
@Component
class Renditions {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

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
        details.set("image_meta", describe(meta));
        return details;
    }

    private static ObjectNode describe(PictureMeta meta) {
        ObjectNode node = JSON.objectNode();
        node.put("aperture", meta.aperture());
        node.put("credit", meta.credit());
        node.put("camera", meta.camera());
        node.put("caption", meta.caption());
        node.put("created_timestamp", meta.createdTimestamp());
        node.put("copyright", meta.copyright());
        node.put("focal_length", meta.focalLength());
        node.put("iso", meta.iso());
        node.put("shutter_speed", meta.shutterSpeed());
        node.put("title", meta.title());
        node.put("orientation", String.valueOf(meta.orientation()));
        node.putArray("keywords");
        return node.put("alt", "");
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
        if (!pictures.writes(format)) {
            return file;
        }
        Path original = find(file.originalPath());
        ImageHeader header = pictures.inspect(original, format);
        int orientation = PictureMeta.read(original, format).orientation();
        return pictures.open(
                original, format, orientation, picture -> make(file, header, format, orientation, picture));
    }

    private MediaFile make(
            MediaFile file, ImageHeader header, ImageFormat format, int orientation, BufferedImage picture)
            throws IOException {
        ObjectNode details = file.details().deepCopy();
        String path = file.path();
        boolean isUpright = orientation <= 1;
        boolean isLarge = SubSizes.shown(header.width(), header.height()).isPresent();
        // What is made of an animation is one frame of it, so the animation itself stays what is shown.
        if ((isLarge || !isUpright) && header.frames() == 1 && !details.has("original_image")) {
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
