package io.github.ratelimit.content.cms.media;

import io.github.ratelimit.content.cms.text.KnownItems;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads what only files have of their items' rows, also for those who render contents; writing goes with the rest of the item. Safe for concurrent use. */
@Component
public class MediaStore implements KnownItems {

    private final JdbcClient jdbc;

    MediaStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Finds the files of items, by the ids of these; those that are no files are missing. */
    Map<Long, MediaFile> findAll(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        Map<Long, MediaFile> found = new HashMap<>();
        jdbc.sql("select id, file, file_details, alt_text from item where file is not null and id = any (?)")
                .param(ids.toArray(Long[]::new))
                .query((row, number) ->
                        new MediaFile(row.getLong(1), row.getString(2), details(row.getString(3)), row.getString(4)))
                .list()
                .forEach(file -> found.put(file.itemId(), file));
        return found;
    }

    /**
     * Finds the file of an item.
     *
     * @param id of any item
     * @return empty if the item is no file
     */
    public Optional<MediaFile> find(long id) {
        return Optional.ofNullable(findAll(Set.of(id)).get(id));
    }

    /** Lists the paths of all files of all items. */
    Set<String> allPaths() {
        Set<String> paths = new HashSet<>();
        jdbc.sql("select id, file, file_details from item where kind = 'attachment' and file is not null")
                .query(row -> {
                    paths.addAll(
                            new MediaFile(row.getLong(1), row.getString(2), details(row.getString(3)), "").allPaths());
                });
        return paths;
    }

    private static ObjectNode details(String json) {
        return json.isEmpty()
                ? JsonNodeFactory.instance.objectNode()
                : (ObjectNode) JsonMapper.shared().readTree(json);
    }

    @Override
    public Map<Long, Image> find(Collection<Long> ids) {
        Map<Long, Image> images = new HashMap<>();
        findAll(ids).forEach((id, file) -> file.full().ifPresent(full -> images.put(id, image(file, full))));
        return images;
    }

    private static Image image(MediaFile file, MediaFile.Rendition full) {
        List<Size> sizes = new ArrayList<>();
        file.renditions()
                .forEach((name, size) ->
                        sizes.add(new Size(name, MediaFile.nameOf(size.path()), size.width(), size.height())));
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
}
