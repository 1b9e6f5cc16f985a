package io.github.ratelimit.content.crash;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates, changes and deletes posts of its own until the server is gone, and keeps a record of what was acknowledged.
 *
 * <p>One thread at a time; the record is read after the writer ended.
 */
final class Writer implements Callable<Writer> {

    private final SiteClient site;
    private final String name;
    private final Random random;
    private final Map<Long, Optional<String>> acknowledged = new HashMap<>();
    private final List<String> rejections = new ArrayList<>();
    private long uncertainId;
    private Optional<String> uncertain = Optional.empty();
    private final AtomicInteger writes = new AtomicInteger();

    Writer(SiteClient site, String name, long seed) {
        this.site = site;
        this.name = name;
        this.random = new Random(seed);
    }

    @Override
    public Writer call() {
        List<Long> alive = new ArrayList<>();
        try {
            while (rejections.isEmpty()) {
                int choice = alive.isEmpty() ? 0 : random.nextInt(10);
                if (choice < 5) {
                    create().ifPresent(alive::add);
                } else if (choice < 8) {
                    update(alive.get(random.nextInt(alive.size())));
                } else {
                    delete(alive.remove(random.nextInt(alive.size())));
                }
            }
        } catch (UncheckedIOException e) {
            // The server is gone; what was under way stays uncertain.
        }
        return this;
    }

    /** Returns how many writes were acknowledged so far; may be asked while it writes. */
    int writes() {
        return writes.get();
    }

    /** Returns what was answered where a write should have been accepted. */
    List<String> rejections() {
        return rejections;
    }

    /**
     * Returns what was lost or has come back.
     *
     * @param titles the titles of all items there are, by id
     */
    List<String> losses(Map<Long, String> titles) {
        List<String> losses = new ArrayList<>(rejections);
        acknowledged.forEach((id, title) -> {
            Optional<String> found = Optional.ofNullable(titles.get(id));
            boolean underWay = id == uncertainId && found.equals(uncertain);
            if (!found.equals(title) && !underWay) {
                losses.add(name + ": item " + id + " should be " + title + ", is " + found);
            }
        });
        return losses;
    }

    private Optional<Long> create() {
        String title = nextTitle();
        uncertainId = 0;
        ObjectNode fields = fields(title).put("status", random.nextBoolean() ? "publish" : "draft");
        Answer answer = site.post("/cms/v2/posts", fields);
        if (!accepted(answer, 201)) {
            return Optional.empty();
        }
        long id = answer.id();
        acknowledged.put(id, Optional.of(title));
        return Optional.of(id);
    }

    private void update(long id) {
        String title = nextTitle();
        uncertainId = id;
        uncertain = Optional.of(title);
        Answer answer =
                site.call("PUT", "/cms/v2/posts/" + id).json(fields(title)).send();
        if (accepted(answer, 200)) {
            acknowledged.put(id, Optional.of(title));
        }
    }

    private void delete(long id) {
        uncertainId = id;
        uncertain = Optional.empty();
        Answer answer = site.delete("/cms/v2/posts/" + id + "?force=true");
        if (accepted(answer, 200)) {
            acknowledged.put(id, Optional.empty());
        }
    }

    private boolean accepted(Answer answer, int status) {
        if (answer.status() != status) {
            rejections.add(name + ": " + answer.status() + " " + answer.text());
            return false;
        }
        writes.incrementAndGet();
        return true;
    }

    private String nextTitle() {
        return name + " " + acknowledged.size() + " " + random.nextInt(1_000_000);
    }

    private static ObjectNode fields(String title) {
        return JsonNodeFactory.instance.objectNode().put("title", title).put("content", content(title));
    }

    /** What is written with a title. */
    static String content(String title) {
        return "<p>" + title + "</p>\n<p>" + "Some text. ".repeat(50).strip() + "</p>";
    }
}
