package io.github.ratelimit.content.cms.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.item.ItemIndex;
import io.github.ratelimit.content.cms.item.ItemWriter;
import io.github.ratelimit.content.cms.media.image.PictureFiles;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.widget.sync.Workspaces;
import io.github.ratelimit.test.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A write purges what it touched, whatever it was: behind each, all that is kept says what would be said if nothing were. And it
 * purges little else.
 *
 * <p>The writes follow from a seed: {@code -Dpurge.seed=7} repeats those of a failure, {@code -Dpurge.writes=100} makes more.
 */
class PurgedPartsTest {
    private static final long SEED = Long.getLong("purge.seed", 20_261_123L);
    private static final int WRITES = Integer.getInteger("purge.writes", Boolean.getBoolean("full") ? 300 : 50);

    private static final Account ADMIN = Accounts.standard().get("admin");

    private static final List<String> STATUSES =
            List.of("publish", "publish", "publish", "draft", "private", "pending");

    private final TestClock clock = new TestClock(Instant.parse("2030-01-01T12:00:00Z"));

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2,
            ReferenceServer.with(clock),
            // Asked by hand: a test does not wait.
            "--content-api.publish-interval=1d",
            "--content-api.cache.ttl=365d");

    private final SiteClient site = new SiteClient(server.base());
    private final PageCache cache = server.context().getBean(PageCache.class);
    private final Random random = new Random(SEED);

    private final List<Long> posts = new ArrayList<>();
    private final List<Long> pages = new ArrayList<>();
    private final List<Long> files = new ArrayList<>();
    /** Posts that files belong to. */
    private final List<Long> owners = new ArrayList<>();

    private final List<Long> categories = new ArrayList<>();
    private final List<Long> tags = new ArrayList<>();
    private final List<Long> accounts = new ArrayList<>();
    private int number;
    /** The item or term that was deleted last. */
    private long last = 999_999;

    PurgedPartsTest() {
        server.context().getBean(ItemIndex.class).fill();
        for (int i = 0; i < 3; i++) {
            makeTerm("categories", categories);
            makeTerm("tags", tags);
            makeAccount();
            upload(0);
        }
        refill();
        upload(posts.get(0));
        upload(makePost("draft"));
    }

    // ---- what is asked for

    private Set<String> addresses() {
        Set<String> all = new LinkedHashSet<>(List.of("/", "/?paged=2", "/?author=999999", "/?p=999999"));
        for (String collection : List.of("posts", "pages", "media")) {
            List<String> filters = new ArrayList<>(List.of(
                    "",
                    "&per_page=2",
                    "&per_page=2&page=2",
                    "&offset=1&order=asc",
                    "&search=word",
                    "&_embed",
                    "&_fields=id,title,_links",
                    "&context=embed",
                    "&exclude=" + posts.get(0),
                    "&author=" + accounts.get(0),
                    "&author_exclude=" + accounts.get(0),
                    "&slug=title-3",
                    "&after=2030-01-02T00:00:00",
                    "&before=2030-01-02T00:00:00",
                    "&modified_after=2030-01-01T13:00:00",
                    "&include=" + posts.get(1) + "," + pages.get(1) + "," + files.get(1) + "&orderby=include"));
            orders(collection).forEach(order -> filters.add("&per_page=3&orderby=" + order));
            switch (collection) {
                case "posts" ->
                    filters.addAll(List.of(
                            "&categories=" + categories.get(0),
                            "&categories_exclude=" + categories.get(0),
                            "&tags=" + tags.get(0),
                            "&tags_exclude=" + tags.get(0),
                            "&categories=" + categories.get(0) + "&tags=" + tags.get(1) + "&tax_relation=OR",
                            "&categories[terms]=" + categories.get(1) + "&categories[include_children]=true",
                            "&sticky=true",
                            "&sticky=false",
                            "&ignore_sticky=true"));
                case "pages" -> filters.addAll(List.of("&parent=" + pages.get(0), "&parent_exclude=" + pages.get(0)));
                default ->
                    filters.addAll(List.of(
                            "&parent=" + posts.get(0), "&media_type=image", "&mime_type=image/png", "&parent=0"));
            }
            filters.forEach(filter -> all.add(rest("/cms/v2/" + collection) + filter));
        }
        for (String taxonomy : List.of("categories", "tags")) {
            List<String> filters = new ArrayList<>(List.of(
                    "",
                    "&hide_empty=true",
                    "&search=term",
                    "&per_page=1",
                    "&slug=term-1",
                    "&post=" + posts.get(0),
                    "&post=" + posts.get(2) + "&hide_empty=true"));
            orders(taxonomy).forEach(order -> filters.add("&order=desc&orderby=" + order));
            filters.forEach(filter -> all.add(rest("/cms/v2/" + taxonomy) + filter));
        }
        posts.forEach(id -> addSingle(all, "posts", "p", id));
        addSingle(all, "posts", "p", last);
        pages.forEach(id -> addSingle(all, "pages", "page_id", id));
        files.forEach(id -> addSingle(all, "media", "attachment_id", id));
        categories.forEach(id -> all.add(rest("/cms/v2/categories/" + id) + "&_embed"));
        tags.forEach(id -> all.add(rest("/cms/v2/tags/" + id)));
        accounts.forEach(id -> all.add("/?author=" + id));
        return all;
    }

    private void addSingle(Set<String> all, String collection, String name, long id) {
        String single = rest("/cms/v2/" + collection + "/" + id);
        all.addAll(List.of(single, single + "&_embed", single + "&_fields=content,excerpt", "/?" + name + "=" + id));
        all.add("/?" + name + "=" + id + "&embed=true");
        String described = rest("/oembed/1.0/embed") + "&url=" + Query.encode(site.base() + "/?" + name + "=" + id);
        all.addAll(List.of(described, described + "&format=xml"));
    }

    private static String rest(String route) {
        return "/index.php?rest_route=" + route;
    }

    private final Map<String, List<String>> orders = new LinkedHashMap<>();

    /** As the index of the interface names them. */
    private List<String> orders(String collection) {
        return orders.computeIfAbsent(collection, asked -> {
            JsonNode routes = site.call("GET", "/").send().json().path("routes");
            List<String> names = new ArrayList<>();
            for (JsonNode endpoint : routes.path("/cms/v2/" + asked).path("endpoints")) {
                endpoint.path("args").path("orderby").path("enum").forEach(name -> names.add(name.stringValue()));
            }
            assertThat(names).isNotEmpty();
            return names;
        });
    }

    /** All of an answer that could be wrong. */
    private record Said(int status, String body, String total, String pages, String link) {
        static Said of(Answer answer) {
            return new Said(
                    answer.status(),
                    answer.text(),
                    answer.header("X-WP-Total").orElse(""),
                    answer.header("X-WP-TotalPages").orElse(""),
                    answer.header("Link").orElse(""));
        }
    }

    private Answer get(String address) {
        return site.callAddress("GET", site.base() + address).send();
    }

    // ---- what is written

    private ObjectNode fields(String... namesAndTexts) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            fields.put(namesAndTexts[i], namesAndTexts[i + 1]);
        }
        return fields;
    }

    private Answer send(String method, String route, ObjectNode fields) {
        return site.callAddress(method, site.base() + rest(route))
                .as(ADMIN)
                .json(fields)
                .send();
    }

    private long made(String route, ObjectNode fields, List<Long> among) {
        Answer answer = send("POST", route, fields);
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        long id = answer.json().path("id").longValue();
        among.add(id);
        return id;
    }

    private <T> T one(List<T> among) {
        return among.get(random.nextInt(among.size()));
    }

    private String content() {
        return block() + block() + block();
    }

    private String block() {
        return one(List.of(
                "A word.",
                "<!-- wp:latest-posts {\"displayAuthor\":true,\"displayPostDate\":true,\"displayFeaturedImage\":true,"
                        + "\"displayPostContent\":true,\"postsToShow\":3} /-->",
                "<!-- wp:latest-posts {\"selectedAuthor\":" + one(accounts) + ",\"orderBy\":\"title\"} /-->",
                "<!-- wp:latest-posts {\"categories\":[{\"id\":" + one(categories) + "}]} /-->",
                "<!-- wp:archives {\"showPostCounts\":true,\"type\":\"daily\"} /-->",
                "<!-- wp:categories {\"showPostCounts\":true,\"showHierarchy\":true} /--><!-- wp:tag-cloud {\"showTagCounts\":true} /-->",
                "<!-- wp:page-list /-->",
                "<!-- wp:post-author-name /--><!-- wp:post-title /--><!-- wp:post-terms {\"term\":\"category\"} /-->"
                        + "<!-- wp:post-featured-image /--><!-- wp:post-date /--><!-- wp:post-excerpt /-->",
                "[gallery ids=\"" + one(files) + "\"] and words"));
    }

    private long makePost(String status) {
        ObjectNode fields = fields("title", "Title " + ++number, "content", content(), "status", status)
                .put("author", one(accounts))
                .put("featured_media", one(files))
                .put("date", clock.instant().minus(number, ChronoUnit.HOURS).toString());
        fields.putArray("categories").add(one(categories)).add(one(categories));
        fields.putArray("tags").add(one(tags));
        return made("/cms/v2/posts", fields, posts);
    }

    private long makePage() {
        ObjectNode fields = fields("title", "Title " + ++number, "content", content(), "status", one(STATUSES))
                .put("author", one(accounts))
                .put("menu_order", random.nextInt(4));
        if (!pages.isEmpty()) {
            fields.put("parent", one(pages));
        }
        return made("/cms/v2/pages", fields, pages);
    }

    private long upload(long owner) {
        if (owner > 0) {
            owners.add(owner);
        }
        Answer answer = site.callAddress("POST", site.base() + rest("/cms/v2/media") + "&post=" + owner)
                .as(ADMIN)
                .header("Content-Type", "image/png")
                .header("Content-Disposition", "attachment; filename=\"picture-" + ++number + ".png\"")
                .body(PictureFiles.encoded(PictureFiles.quarters(320, 200), "png"))
                .send();
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        long id = answer.json().path("id").longValue();
        files.add(id);
        return id;
    }

    private long makeTerm(String taxonomy, List<Long> among) {
        ObjectNode fields = fields("name", "Term " + ++number);
        if (taxonomy.equals("categories") && !among.isEmpty()) {
            fields.put("parent", one(among));
        }
        return made("/cms/v2/" + taxonomy, fields, among);
    }

    private long makeAccount() {
        String name = "account" + ++number;
        return made(
                "/cms/v2/users",
                fields(
                        "username",
                        name,
                        "email",
                        name + "@example.test",
                        "password",
                        "a password of a test",
                        "roles",
                        "author"),
                accounts);
    }

    private String item() {
        return switch (random.nextInt(3)) {
            case 0 -> "/cms/v2/pages/" + one(pages);
            default -> "/cms/v2/posts/" + one(posts);
        };
    }

    private String owner() {
        owners.retainAll(posts);
        if (owners.isEmpty()) {
            upload(one(posts));
        }
        return "/cms/v2/posts/" + one(owners);
    }

    private String post() {
        return "/cms/v2/posts/" + one(posts);
    }

    private int status(String route, ObjectNode fields) {
        return send("POST", route, fields).status();
    }

    /** There is always something to write about. */
    private void refill() {
        while (posts.size() < 5) {
            makePost("publish");
        }
        while (pages.size() < 3) {
            makePage();
        }
        while (files.size() < 3) {
            upload(0);
        }
        while (accounts.size() < 3) {
            makeAccount();
        }
        while (categories.size() < 3) {
            makeTerm("categories", categories);
        }
        while (tags.size() < 3) {
            makeTerm("tags", tags);
        }
    }

    private int force(String route) {
        int status = site.callAddress("DELETE", site.base() + rest(route) + "&force=true")
                .as(ADMIN)
                .send()
                .status();
        if (status == 200) {
            long gone = Long.parseLong(route.substring(route.lastIndexOf('/') + 1));
            boolean isTerm = route.contains("/categories/") || route.contains("/tags/");
            (isTerm ? List.of(categories, tags) : List.of(posts, pages, files)).forEach(ids -> ids.remove(gone));
            last = gone;
            refill();
        }
        return status;
    }

    private int sql(String text, long id) {
        return server.context()
                                .getBean(JdbcClient.class)
                                .sql(text)
                                .param("id", id)
                                .update()
                        == 1
                ? 200
                : 404;
    }

    private int schedule() {
        Instant soon = clock.instant().plus(2, ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
        made(
                "/cms/v2/posts",
                fields("title", "Title " + ++number, "content", content(), "status", "publish")
                        .put("date_gmt", soon.toString()),
                posts);
        return 201;
    }

    private int publishDue() {
        schedule();
        addresses().forEach(this::get);
        clock.setCalendar(clock.instant().plus(3, ChronoUnit.HOURS));
        return server.context().getBean(ItemWriter.class).publishDue(100) > 0 ? 200 : 404;
    }

    private int deleteAccount(boolean isInherited) {
        long gone = one(accounts);
        accounts.remove(gone);
        refill();
        String heir = isInherited ? String.valueOf(one(accounts)) : "false";
        int status = site.callAddress(
                        "DELETE", site.base() + rest("/cms/v2/users/" + gone) + "&force=true&reassign=" + heir)
                .as(ADMIN)
                .send()
                .status();
        for (List<Long> ids : List.of(posts, pages, files)) {
            ids.removeIf(id -> get(single(ids.equals(posts) ? "posts" : ids.equals(pages) ? "pages" : "media", id))
                            .status()
                    == 404);
        }
        refill();
        return status;
    }

    /** Whoever has published nothing any more is known to nobody, though files name it. */
    private int withdraw() {
        long account = one(accounts);
        status(
                "/cms/v2/media/" + one(files),
                JsonNodeFactory.instance.objectNode().put("author", account));
        addresses().forEach(this::get);
        for (String collection : List.of("posts", "pages")) {
            JsonNode written = site.call(
                            "GET",
                            "/cms/v2/" + collection,
                            Query.of("author", String.valueOf(account), "per_page", "100", "_fields", "id"))
                    .send()
                    .json();
            for (JsonNode item : written) {
                status("/cms/v2/" + collection + "/" + item.path("id").longValue(), fields("status", "draft"));
            }
        }
        return 200;
    }

    private int batch() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < 2; i++) {
            body.withArray("requests")
                    .addObject()
                    .put("method", "POST")
                    .put("path", post())
                    .set("body", fields("title", "Title " + ++number));
        }
        return send("POST", "/batch/v1", body).status();
    }

    private int deleteWording() {
        String revisions = item() + "/revisions";
        JsonNode there = site.call("GET", revisions).as(ADMIN).send().json();
        return there.isEmpty()
                ? 404
                : force(revisions + "/" + there.get(0).path("id").longValue());
    }

    private int edit() {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        long file = one(files);
        JsonNode source =
                site.call("GET", "/cms/v2/media/" + file).as(ADMIN).send().json();
        fields.put("src", source.path("source_url").asString("")).put("rotation", 90);
        Answer answer = send("POST", "/cms/v2/media/" + file + "/edit", fields);
        if (answer.status() == 201) {
            files.add(answer.json().path("id").longValue());
        }
        return answer.status();
    }

    /** Every kind of write, by what it is called in a failure. */
    private Map<String, Supplier<Integer>> writes() {
        Map<String, Supplier<Integer>> writes = new LinkedHashMap<>();
        writes.put("make a post", () -> makePost(one(STATUSES)) > 0 ? 201 : 0);
        writes.put("make a page", () -> makePage() > 0 ? 201 : 0);
        writes.put("name an item", () -> status(item(), fields("title", "Title " + ++number + " word")));
        writes.put("fill an item", () -> status(item(), fields("content", content())));
        writes.put("sum up an item", () -> status(item(), fields("excerpt", "Excerpt " + ++number)));
        writes.put("give a slug", () -> status(item(), fields("slug", "title-3")));
        writes.put(
                "date an item",
                () -> status(item(), fields("date", "2029-0" + (1 + random.nextInt(9)) + "-10T10:00:00")));
        writes.put("set a status", () -> status(item(), fields("status", one(STATUSES))));
        writes.put("publish an item", () -> status(item(), fields("status", "publish")));
        writes.put("show what has a file", () -> status(owner(), fields("status", "publish")));
        writes.put("hide what has a file", () -> status(owner(), fields("status", "draft")));
        writes.put("hide all of an account", this::withdraw);
        writes.put(
                "stick a post",
                () -> status(post(), JsonNodeFactory.instance.objectNode().put("sticky", random.nextBoolean())));
        writes.put("guard an item", () -> status(item(), fields("password", random.nextBoolean() ? "" : "secret")));
        writes.put(
                "move a page",
                () -> status(
                        "/cms/v2/pages/" + one(pages),
                        JsonNodeFactory.instance.objectNode().put("parent", one(pages))));
        writes.put(
                "order a page",
                () -> status(
                        "/cms/v2/pages/" + one(pages),
                        JsonNodeFactory.instance.objectNode().put("menu_order", random.nextInt(9))));
        writes.put(
                "move a file",
                () -> status(
                        "/cms/v2/media/" + one(files),
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("post", random.nextBoolean() ? one(posts) : one(pages))));
        writes.put(
                "show a picture",
                () -> status(post(), JsonNodeFactory.instance.objectNode().put("featured_media", one(files))));
        writes.put("sort a post", () -> {
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            fields.putArray("categories").add(one(categories));
            fields.putArray("tags").add(one(tags));
            return status(post(), fields);
        });
        writes.put(
                "give a post away",
                () -> status(post(), JsonNodeFactory.instance.objectNode().put("author", one(accounts))));
        writes.put("throw an item away", () -> send("DELETE", item(), fields()).status());
        writes.put("delete a post", () -> force(post()));
        writes.put("delete a page", () -> force("/cms/v2/pages/" + one(pages)));
        writes.put("save beside", () -> status(item() + "/autosaves", fields("content", "Beside " + ++number)));
        writes.put("delete a wording", this::deleteWording);
        writes.put("complain after the write", () -> {
            ObjectNode fields = fields("title", "Title " + ++number);
            fields.putObject("meta").put("footnotes", 5);
            return status(post(), fields);
        });
        writes.put("write several", this::batch);
        writes.put("make a category", () -> makeTerm("categories", categories) > 0 ? 201 : 0);
        writes.put(
                "name a category",
                () -> status("/cms/v2/categories/" + one(categories), fields("name", "Term " + ++number)));
        writes.put(
                "name a tag",
                () -> status("/cms/v2/tags/" + one(tags), fields("name", "Term " + ++number, "slug", "")));
        writes.put(
                "move a category",
                () -> status(
                        "/cms/v2/categories/" + one(categories),
                        JsonNodeFactory.instance.objectNode().put("parent", one(categories))));
        writes.put("delete a category", () -> force("/cms/v2/categories/" + one(categories)));
        writes.put("delete a tag", () -> force("/cms/v2/tags/" + one(tags)));
        writes.put("make an account", () -> makeAccount() > 0 ? 201 : 0);
        writes.put(
                "name an account", () -> status("/cms/v2/users/" + one(accounts), fields("name", "Name " + ++number)));
        writes.put(
                "move an account", () -> status("/cms/v2/users/" + one(accounts), fields("slug", "slug-" + ++number)));
        writes.put("delete an account with an heir", () -> deleteAccount(true));
        writes.put("delete an account without one", () -> deleteAccount(false));
        writes.put("upload", () -> upload(random.nextBoolean() ? 0 : one(posts)) > 0 ? 201 : 0);
        writes.put(
                "describe a file", () -> status("/cms/v2/media/" + one(files), fields("alt_text", "Alt " + ++number)));
        writes.put(
                "give a file away",
                () -> status(
                        "/cms/v2/media/" + one(files),
                        JsonNodeFactory.instance.objectNode().put("author", one(accounts))));
        writes.put("edit a file", this::edit);
        writes.put("delete a file", () -> force("/cms/v2/media/" + one(files)));
        writes.put("schedule a post", this::schedule);
        writes.put("publish what is due", this::publishDue);
        writes.put(
                "undeclared: an item",
                () -> sql("update item set title_rendered = 'By hand' where id = :id", one(posts)));
        writes.put(
                "undeclared: an account",
                () -> sql("update account set display_name = 'By hand' where id = :id", one(accounts)));
        writes.put("undeclared: a term", () -> sql("update term set name = 'By hand' where id = :id", one(categories)));
        return writes;
    }

    @Test
    void whatIsKeptSaysWhatIsThere() {
        List<Map.Entry<String, Supplier<Integer>>> kinds = new ArrayList<>(writes().entrySet());
        // Each kind once, then any.
        Collections.shuffle(kinds, random);
        Map<String, Integer> stored = new TreeMap<>();
        int compared = 0;
        int hits = 0;
        addresses().forEach(this::get);
        assertThat(addresses().stream().filter(address -> get(address).status() == 200))
                .allMatch(this::isKept);
        for (int i = 0; i < WRITES; i++) {
            // The windows of the limits end.
            clock.advance(Duration.ofMinutes(2));
            Map.Entry<String, Supplier<Integer>> kind = i < kinds.size() ? kinds.get(i) : one(kinds);
            int status = kind.getValue().get();
            stored.merge(kind.getKey() + " " + status, 1, Integer::sum);
            Map<String, Said> kept = new LinkedHashMap<>();
            for (String address : addresses()) {
                Answer answer = get(address);
                kept.put(address, Said.of(answer));
                hits += answer.header("X-Content-Cache").filter("hit"::equals).isPresent() ? 1 : 0;
            }
            cache.changed(Set.of(PageCache.CONTENT));
            for (Map.Entry<String, Said> said : kept.entrySet()) {
                assertThat(said.getValue())
                        .as("seed " + SEED + ", write " + i + ", " + kind.getKey() + " (" + status + "): "
                                + said.getKey())
                        .isEqualTo(Said.of(get(said.getKey())));
                compared++;
            }
        }
        System.out.println("purge: seed " + SEED + ", " + WRITES + " writes, " + compared + " compared, " + hits
                + " of these kept: " + stored);
        assertThat(hits).isGreaterThan(compared / 5);
    }

    // ---- what is not purged

    private boolean isKept(String address) {
        return get(address).header("X-Content-Cache").orElseThrow().equals("hit");
    }

    private void assertKept(List<String> kept, List<String> purged, Supplier<Integer> write) {
        kept.forEach(this::get);
        purged.forEach(this::get);
        assertThat(kept).allMatch(this::isKept);
        assertThat(purged).allMatch(this::isKept);
        assertThat(write.get()).isBetween(200, 201);
        assertThat(kept).allMatch(this::isKept);
        assertThat(purged).noneMatch(this::isKept);
    }

    private static String single(String collection, long id) {
        return rest("/cms/v2/" + collection + "/" + id);
    }

    private ObjectNode plain(String title) {
        return fields("title", title, "content", "Words", "status", "publish");
    }

    @Test
    void aWriteOfAPostPurgesThePostAndTheListsThatItIsOn() {
        long one = made("/cms/v2/posts", plain("One").put("author", accounts.get(0)), posts);
        long other = made("/cms/v2/posts", plain("Other").put("author", accounts.get(1)), posts);
        long page = made("/cms/v2/pages", plain("Page"), pages);
        long free = upload(0);
        long owned = upload(other);
        assertKept(
                List.of(
                        single("posts", other),
                        single("posts", other) + "&_embed",
                        single("pages", page),
                        rest("/cms/v2/pages") + "&include=" + page,
                        single("media", free),
                        single("media", owned),
                        rest("/cms/v2/media"),
                        "/?p=" + other,
                        "/?page_id=" + page,
                        "/?p=" + other + "&embed=true",
                        rest("/oembed/1.0/embed") + "&url=" + Query.encode(site.base() + "/?p=" + other)),
                List.of(
                        single("posts", one),
                        single("posts", one) + "&_embed",
                        rest("/cms/v2/posts"),
                        rest("/cms/v2/posts") + "&search=nothing",
                        rest("/cms/v2/categories"),
                        "/?p=" + one,
                        "/?p=" + one + "&embed=true",
                        "/"),
                () -> status("/cms/v2/posts/" + one, fields("title", "Once more")));
    }

    @Test
    void aWriteOfAnAccountPurgesWhatShowsIt() {
        long named = made("/cms/v2/posts", plain("Named").put("author", accounts.get(0)), posts);
        long other = made("/cms/v2/posts", plain("Other").put("author", accounts.get(1)), posts);
        String authors = "<!-- wp:latest-posts {\"displayAuthor\":true,\"postsToShow\":9} /-->";
        long lister = made("/cms/v2/pages", plain("Lister").put("content", authors), pages);
        assertKept(
                List.of(
                        single("posts", named),
                        single("posts", other) + "&_embed",
                        rest("/cms/v2/posts") + "&include=" + named + "," + other,
                        rest("/cms/v2/media"),
                        rest("/cms/v2/categories"),
                        "/",
                        "/?p=" + other,
                        "/?author=" + accounts.get(1)),
                List.of(
                        single("posts", named) + "&_embed",
                        single("pages", lister),
                        "/?p=" + named,
                        "/?p=" + named + "&embed=true",
                        "/?author=" + accounts.get(0)),
                () -> status("/cms/v2/users/" + accounts.get(0), fields("name", "Another name")));
    }

    @Test
    void whatIsHiddenPurgesNoList() {
        long draft = made("/cms/v2/posts", fields("title", "Hidden"), posts);
        List<String> kept = List.of(
                rest("/cms/v2/posts"),
                rest("/cms/v2/media"),
                rest("/cms/v2/categories"),
                rest("/cms/v2/tags") + "&hide_empty=true&orderby=count",
                "/");
        assertKept(kept, List.of(), () -> status("/cms/v2/posts/" + draft, fields("content", "More")));
        assertKept(kept, List.of(), () -> force("/cms/v2/posts/" + draft));
    }

    /** They are written many at once, which is another way to the database. */
    @Test
    void documentsOfASitePurgeNothing() {
        String token = server.context().getBean(Workspaces.class).issueToken("site");
        long before = revision();
        assertKept(
                List.of(rest("/cms/v2/posts"), "/"),
                List.of(),
                () -> site.callAddress("POST", site.base() + "/v1/cms/documents")
                        .header("Authorization", "Bearer " + token)
                        .json("{\"documents\": [{\"id\": \"a\", \"title\": \"Of a site\"}]}")
                        .send()
                        .status());
        assertThat(revision()).as("what other servers are told of").isEqualTo(before);
    }

    private long revision() {
        return server.context()
                .getBean(JdbcClient.class)
                .sql("select revision from item_revision")
                .query(Long.class)
                .single();
    }
}
