package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.SiteClient;
import java.math.BigInteger;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Loads the content that recordings assume into a server, through the interface, and names what it made.
 *
 * <p>What is there already, by its slug, is taken as it is; so a server that was loaded once can be used again. What cannot be
 * made is reported in {@link #problems()} and left without a name; the recordings that name it then fail, and only these.
 */
public final class ContentSet {

    private static final int DEFAULT_CATEGORY = 1;

    private final SiteClient site;
    private final Accounts accounts;
    private final Recordings recordings;
    private final Names names = Names.create();
    private final List<String> problems = new ArrayList<>();

    private ContentSet(SiteClient site, Accounts accounts, Recordings recordings) {
        this.site = site;
        this.accounts = accounts;
        this.recordings = recordings;
    }

    /** Loads the content and returns when all of it is there. */
    public static ContentSet load(SiteClient site, Accounts accounts, Recordings recordings) {
        ContentSet set = new ContentSet(site, accounts, recordings);
        set.nameWhatIsComputed();
        set.loadAll(recordings.content());
        return set;
    }

    /** Returns what could not be made, a line each; empty if nothing. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /**
     * Returns the id of an item.
     *
     * @param name its name as in recordings, for example {@code posts.alpha}
     * @throws NoSuchElementException if it is not part of the content or could not be made
     */
    public long id(String name) {
        JsonNode id = names.find(name);
        if (id == null || !id.isIntegralNumber()) {
            throw new NoSuchElementException("no id is known by the name " + name + "; " + problems);
        }
        return id.longValue();
    }

    /**
     * Returns the ids of all items of a kind.
     *
     * @param kind for example {@code posts}
     */
    public List<Long> ids(String kind) {
        return names.bound().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(kind + ".")
                        && entry.getValue().isIntegralNumber())
                .map(entry -> entry.getValue().longValue())
                .toList();
    }

    Names names() {
        return names;
    }

    private void nameWhatIsComputed() {
        names.bind("base", site.base());
        names.bind("base_encoded", URLEncoder.encode(site.base(), StandardCharsets.UTF_8));
        names.bind("categories.default", IntNode.valueOf(DEFAULT_CATEGORY));
        names.compute("basic", this::basic);
        names.compute("md5", this::checksum);
    }

    /** {@code admin} or {@code admin.spaced}. */
    private String basic(String accountAndSpelling) {
        String[] parts = accountAndSpelling.split("\\.", 2);
        Account account = accounts.get(parts[0]);
        return parts.length == 1 ? account.basic() : account.basic(parts[1]);
    }

    /** A file by its name, with or without the ending. */
    private String checksum(String asset) {
        String file = recordings.assets().stream()
                .filter(name -> name.equals(asset) || name.startsWith(asset + "."))
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("no file named " + asset));
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(recordings.asset(file));
            return String.format("%032x", new BigInteger(1, digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private void loadAll(JsonNode content) {
        for (Account account : accounts.all()) {
            nameAccount(account);
        }
        for (JsonNode entry : content.path("categories")) {
            term("categories", entry);
        }
        for (JsonNode entry : content.path("tags")) {
            term("tags", entry);
        }
        for (JsonNode entry : content.path("media")) {
            medium(entry);
        }
        for (JsonNode entry : content.path("posts")) {
            item("posts", entry);
        }
        for (JsonNode entry : content.path("pages")) {
            item("pages", entry);
        }
    }

    private void nameAccount(Account account) {
        Answer answer = site.as(account).get("/cms/v2/users/me");
        nameIfMade("users." + account.name(), answer);
    }

    private void term(String kind, JsonNode entry) {
        String name = kind + "." + entry.path("key").asString();
        if (!nameIfPresent(name, "/cms/v2/" + kind, entry.path("fields"))) {
            nameIfMade(name, create("/cms/v2/" + kind, accounts.get("admin"), fields(name, entry.path("fields"))));
        }
    }

    private void medium(JsonNode entry) {
        String name = "media." + entry.path("key").asString();
        Account author = author(entry);
        String fileName = entry.path("as").asString();
        ObjectNode slug = JsonNodeFactory.instance.objectNode().put("slug", fileName.replaceFirst("\\.[^.]+$", ""));
        if (nameIfPresent(name, "/cms/v2/media", slug)) {
            return;
        }
        String file = entry.path("file").asString();
        Answer answer = site.as(author)
                .call("POST", "/cms/v2/media")
                .header("Content-Type", Uploads.contentType(file))
                .header("Content-Disposition", "attachment; filename=\"" + fileName + "\"")
                .body(recordings.asset(file))
                .send();
        if (nameIfMade(name, answer)) {
            update(name, "/cms/v2/media", author, entry.path("fields"));
        }
    }

    private void item(String kind, JsonNode entry) {
        String name = kind + "." + entry.path("key").asString();
        String route = "/cms/v2/" + kind;
        if (!nameIfPresent(name, route, entry.path("fields"))) {
            Account author = author(entry);
            ObjectNode fields = fields(name, entry.path("fields"));
            JsonNode sticky = fields.remove("sticky");
            Answer created = create(route, author, fields);
            if (!nameIfMade(name, created)) {
                return;
            }
            // Where a server gives accounts out otherwise than by a route, their items tell their ids.
            nameIfUnknown("users." + author.name(), json(created).path("author"));
            if (sticky != null) {
                update(
                        name,
                        route,
                        accounts.get("admin"),
                        JsonNodeFactory.instance.objectNode().set("sticky", sticky));
            }
            for (JsonNode change : entry.path("updates")) {
                update(name, route, author, change);
            }
            if (entry.path("trash").asBoolean(false)) {
                check(name, site.as(author).delete(route + "/" + id(name)));
            }
        }
        if (entry.has("updates")) {
            nameRevisions(name, entry.path("key").asString(), route + "/" + id(name) + "/revisions");
        }
    }

    private Account author(JsonNode entry) {
        return accounts.get(entry.path("author").asString("admin"));
    }

    private Answer create(String route, Account author, JsonNode fields) {
        return site.as(author).post(route, fields);
    }

    private void update(String name, String route, Account author, JsonNode fields) {
        JsonNode values = fields(name, fields);
        check(name, site.as(author).post(route + "/" + id(name), values));
    }

    /** Replaces names by ids; a field that names what could not be made is left out, so that the rest can be used. */
    private ObjectNode fields(String owner, JsonNode template) {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : template.properties()) {
            try {
                fields.set(field.getKey(), names.value(field.getValue()));
            } catch (Names.UnknownName e) {
                problems.add(owner + ": made without " + field.getKey() + ", " + e.getMessage());
            }
        }
        return fields;
    }

    private boolean nameIfPresent(String name, String route, JsonNode fields) {
        String slug = fields.path("slug").asString();
        // The second spelling is the one that an item has in the trash.
        String any = route.endsWith("posts") || route.endsWith("pages") ? "&status[]=any&status[]=trash" : "";
        Answer answer =
                site.as(accounts.get("admin")).get(route + "?slug[]=" + slug + "&slug[]=" + slug + "__trashed" + any);
        JsonNode found = answer.status() == 200 ? json(answer).path(0) : JsonNodeFactory.instance.objectNode();
        return found.path("id").isIntegralNumber() && bind(name, found);
    }

    private boolean nameIfMade(String name, Answer answer) {
        return check(name, answer) && bind(name, json(answer));
    }

    private boolean bind(String name, JsonNode item) {
        names.bind(name, item.path("id"));
        if (item.has("source_url")) {
            names.bind(name + ".src", item.path("source_url").asString());
        }
        return true;
    }

    private void nameIfUnknown(String name, JsonNode id) {
        if (names.find(name) == null && id.isIntegralNumber()) {
            names.bind(name, id);
        }
    }

    private void nameRevisions(String owner, String key, String route) {
        Answer answer = site.as(accounts.get("admin")).get(route + "?per_page=100&context=edit");
        if (!check(owner + " revisions", answer)) {
            return;
        }
        List<JsonNode> oldestFirst = json(answer)
                .valueStream()
                .filter(revision -> !revision.path("slug").asString("").contains("autosave"))
                .map(revision -> revision.path("id"))
                .sorted(Comparator.comparingLong(JsonNode::longValue))
                .toList();
        for (int i = 0; i < oldestFirst.size(); i++) {
            names.bind("revisions." + key + "." + (i + 1), oldestFirst.get(i));
        }
    }

    private boolean check(String name, Answer answer) {
        if (answer.status() == 200 || answer.status() == 201) {
            return true;
        }
        String text = answer.text();
        problems.add(name + ": " + answer.status() + " " + text.substring(0, Math.min(300, text.length())));
        return false;
    }

    private static JsonNode json(Answer answer) {
        try {
            return answer.json();
        } catch (JacksonException e) {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
