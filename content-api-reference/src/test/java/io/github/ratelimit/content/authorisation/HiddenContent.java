package io.github.ratelimit.content.authorisation;

import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Items of every state that somebody may not read, their files, revisions and terms, and the two wordings that they
 * can have. Not safe for concurrent use.
 */
final class HiddenContent implements AutoCloseable {
    private static final List<String> STATES = List.of("private", "draft", "pending", "future", "trash", "guarded");
    private static final Account ADMIN = Accounts.standard().get("admin");
    private static final Account EDITOR = Accounts.standard().get("editor");

    private final Site site;
    private final JdbcClient database;
    private final List<Hidden> items = new ArrayList<>();
    private final List<Hidden> files = new ArrayList<>();
    private final List<Long> revisions = new ArrayList<>();
    private final Map<Wording, Long> terms = new EnumMap<>(Wording.class);
    private final List<String> made = new ArrayList<>();
    private long shown;

    /** An item, whose author is the name of an account. */
    private record Hidden(String kind, long id, String state, String author) {
        String route() {
            return "/cms/v2/" + kind + "/" + id;
        }
    }

    private HiddenContent(Site site, JdbcClient database) {
        this.site = site;
        this.database = database;
    }

    /** Makes everything, in the first wording. */
    static HiddenContent make(Site site, JdbcClient database) {
        HiddenContent content = new HiddenContent(site, database);
        content.makeAll();
        content.say(Wording.ONE, Set.of());
        content.noteRevisions();
        return content;
    }

    /** The ids of hidden items and files, of their revisions, and of the picture that some of them show. */
    List<Long> ids() {
        List<Long> ids = new ArrayList<>(revisions);
        items.forEach(item -> ids.add(item.id()));
        files.forEach(file -> ids.add(file.id()));
        ids.add(shown);
        return ids;
    }

    List<Long> revisions() {
        return revisions;
    }

    List<Long> terms() {
        return List.copyOf(terms.values());
    }

    /** The names of hidden files, in both wordings. */
    List<String> fileNames() {
        return files.stream()
                .flatMap(file -> Stream.of(Wording.values())
                        .map(wording -> wording.word() + "-" + file.state() + "-" + file.author() + ".png"))
                .toList();
    }

    /** The ids of what an account wrote and others may not read. */
    List<Long> idsOf(String author) {
        return Stream.concat(items.stream(), files.stream())
                .filter(item -> item.author().equals(author) && !item.state().equals("guarded"))
                .map(Hidden::id)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Gives everything a wording, but what some accounts wrote. */
    void say(Wording wording, Set<String> exceptBy) {
        // By statements where a write would be seen: the rest of these rows may be read.
        items.stream()
                .filter(item -> item.state().equals("guarded") && !exceptBy.contains(item.author()))
                .forEach(item -> {
                    database.sql(
                                    "update item_text set content = :text, content_searched = lower(:text), content_rendered = :text,"
                                            + " excerpt = :text, excerpt_rendered = :text where item_id = :id")
                            .param("text", wording.text())
                            .param("id", item.id())
                            .update();
                    database.sql("update item set password = :word where id = :id")
                            .param("word", wording.word())
                            .param("id", item.id())
                            .update();
                });
        Wording former = wording == Wording.ONE ? Wording.OTHER : Wording.ONE;
        for (Hidden file : files) {
            if (!exceptBy.contains(file.author())) {
                site.update(file.route(), wording.words(file.id()));
                database.sql("update item set file = replace(file, :former, :word),"
                                + " file_details = replace(file_details, :former, :word) where id = :id")
                        .param("former", former.word())
                        .param("word", wording.word())
                        .param("id", file.id())
                        .update();
            }
        }
        for (Hidden item : items) {
            if (!item.state().equals("guarded") && !exceptBy.contains(item.author())) {
                ObjectNode fields = wording.fields(item.state(), item.id(), terms.getOrDefault(wording, 0L), shown);
                site.update(item.route(), fields);
            }
        }
    }

    /** Deletes what somebody may not even know to exist. Guarded items stay: they are on every list. */
    void forget() {
        files.forEach(file -> site.deleteForGood(file.route()));
        items.stream()
                .filter(item -> !item.state().equals("guarded"))
                .forEach(item -> site.deleteForGood(item.route()));
    }

    @Override
    public void close() {
        for (int i = made.size() - 1; i >= 0; i--) {
            site.deleteForGood(made.get(i));
        }
    }

    private void makeAll() {
        for (Wording wording : Wording.values()) {
            terms.put(wording, make("tags", Site.fields().put("name", "Term of " + wording.word())));
        }
        shown = upload("seen.png", 0);
        for (String author : List.of("admin", "contributor")) {
            for (String state : STATES) {
                items.add(item("posts", state, author));
            }
        }
        for (String state : List.of("private", "draft", "guarded")) {
            items.add(item("pages", state, "admin"));
        }
        for (Hidden item : List.copyOf(items)) {
            if (item.kind().equals("posts") && List.of("private", "draft").contains(item.state())) {
                long id = upload("zebra-" + item.state() + "-" + item.author() + ".png", item.id());
                site.update("/cms/v2/media/" + id, Site.fields().put("author", site.accountId(item.author())));
                files.add(new Hidden("media", id, item.state(), item.author()));
            }
        }
    }

    private Hidden item(String kind, String state, String author) {
        ObjectNode fields = Site.fields()
                .put("title", "Guarded or hidden")
                .put("content", "Something")
                .put("author", site.accountId(author));
        switch (state) {
            case "guarded" -> fields.put("status", "publish").put("password", "secret");
            case "trash" -> fields.put("status", "draft");
            case "future" -> fields.put("status", "future").put("date", "2035-01-10T10:00:00");
            default -> fields.put("status", state);
        }
        long id = make(kind, fields);
        Hidden item = new Hidden(kind, id, state, author);
        if (state.equals("draft")) {
            site.succeed(site.client()
                    .call("POST", item.route() + "/autosaves")
                    .as(EDITOR)
                    .json(Site.fields().put("title", "Saved beside").put("content", "zebra")));
        }
        if (state.equals("trash")) {
            site.succeed(site.client().call("DELETE", item.route()).as(ADMIN));
        }
        return item;
    }

    private long make(String collection, ObjectNode fields) {
        long id = site.create("/cms/v2/" + collection, fields);
        made.add("/cms/v2/" + collection + "/" + id);
        return id;
    }

    private long upload(String name, long post) {
        Query query = post == 0 ? Query.create() : Query.of("post", String.valueOf(post));
        SiteClient.Call call = site.client()
                .call("POST", "/cms/v2/media", query)
                .as(ADMIN)
                .header("Content-Type", "image/png")
                .header("Content-Disposition", "attachment; filename=\"" + name + "\"")
                .body(PictureFiles.encoded(PictureFiles.quarters(320, 200), "png"));
        long id = Site.id(site.succeed(call));
        made.add("/cms/v2/media/" + id);
        return id;
    }

    private void noteRevisions() {
        for (Hidden item : items) {
            Answer all = site.client()
                    .call("GET", item.route() + "/revisions")
                    .as(ADMIN)
                    .send();
            for (JsonNode revision : all.json()) {
                revisions.add(revision.path("id").longValue());
            }
        }
    }
}
