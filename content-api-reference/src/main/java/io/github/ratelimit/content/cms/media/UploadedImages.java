package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.text.KnownItems;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/** Tells those who render contents about the pictures that were uploaded. Safe for concurrent use. */
@Component
class UploadedImages implements KnownItems {

    private final MediaStore store;

    UploadedImages(MediaStore store) {
        this.store = store;
    }

    @Override
    public Map<Long, Image> find(Collection<Long> ids) {
        Map<Long, Image> images = new HashMap<>();
        store.findAll(ids).forEach((id, file) -> file.full().ifPresent(full -> images.put(id, image(file, full))));
        return images;
    }

    private static Image image(MediaFile file, MediaFile.Rendition full) {
        List<Size> sizes = file.renditions().entrySet().stream()
                .map(size -> size(size.getKey(), size.getValue()))
                .toList();
        String original = file.originalPath().equals(file.path()) ? "" : file.fileName();
        boolean isAnimated = file.path().endsWith(".gif");
        return new Image(
                file.path(),
                original,
                full.width(),
                full.height(),
                isAnimated,
                sizes,
                MediaFile.FOLDER,
                file.altText());
    }

    private static Size size(String name, MediaFile.Rendition rendition) {
        String path = rendition.path();
        return new Size(name, path.substring(path.lastIndexOf('/') + 1), rendition.width(), rendition.height());
    }
}
