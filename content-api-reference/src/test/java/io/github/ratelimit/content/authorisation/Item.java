package io.github.ratelimit.content.authorisation;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import java.util.Base64;
import tools.jackson.databind.node.ObjectNode;

/**
 * A post, page or medium in one state, of one author. Not safe for concurrent use.
 *
 * <p>Whoever changed it calls {@link #renew()}, so that the next one finds it in its state again.
 */
final class Item {

    /** A picture of one pixel. */
    private static final byte[] PICTURE = Base64.getDecoder()
            .decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==");

    private final Site site;
    private final String kind;
    private final String state;
    private final String author;
    private long id;
    private long parent;
    private long revision;
    private long autosave;
    private String source = "";

    private Item(Site site, String kind, String state, String author) {
        this.site = site;
        this.kind = kind;
        this.state = state;
        this.author = author;
    }

    /**
     * Makes an item.
     *
     * @param kind {@code posts}, {@code pages} or {@code media}
     * @param state a status, {@code guarded}, {@code trash}, {@code trashed-draft}; for media {@code unattached} or the status of
     *     what it is attached to
     * @param author the name of the account that it belongs to
     */
    static Item create(Site site, String kind, String state, String author) {
        Item item = new Item(site, kind, state, author);
        item.make();
        return item;
    }

    String state() {
        return state;
    }

    String author() {
        return author;
    }

    long id() {
        return id;
    }

    /** A word that is found in the item's text and nowhere else. */
    String marker() {
        return ("mark" + kind + state + author).replace("-", "");
    }

    /** The address of a medium's file. */
    String source() {
        return source;
    }

    /** The id of a revision, made when first asked for. */
    long revision() {
        if (revision == 0) {
            site.update(route(), Site.fields().put("title", "Second wording"));
            Answer all = site.client().as(site.admin()).get(route() + "/revisions");
            revision = all.number("/0/id");
        }
        return revision;
    }

    /** The id of an autosave by the editor, made when first asked for. */
    long autosave() {
        if (autosave == 0) {
            Account editor = Accounts.standard().get("editor");
            ObjectNode fields = Site.fields().put("title", "Third wording").put("content", marker());
            Answer answer = site.client().as(editor).post(route() + "/autosaves", fields);
            autosave = Site.id(answer);
        }
        return autosave;
    }

    /** Says something else of it, longer than before. */
    void reword() {
        ObjectNode fields = Site.fields().put("title", "Other wording").put("slug", "other-" + id);
        if (kind.equals("media")) {
            fields.put("caption", "Other").put("description", "Other ".repeat(300));
        } else {
            fields.put("content", "<p>" + "Other ".repeat(300) + "</p>").put("excerpt", "Other");
            fields.put("comment_status", "closed").put("menu_order", 7);
        }
        site.update(route(), fields);
    }

    void renew() {
        delete();
        make();
    }

    void delete() {
        site.deleteForGood(route());
        if (parent != 0) {
            site.deleteForGood("/cms/v2/posts/" + parent);
        }
    }

    private String route() {
        return "/cms/v2/" + kind + "/" + id;
    }

    private void make() {
        revision = 0;
        autosave = 0;
        if (kind.equals("media")) {
            makeMedium();
            return;
        }
        ObjectNode fields = Site.fields()
                .put("title", state + " by " + author)
                .put("content", "<p>" + marker() + "</p>")
                .put("excerpt", marker())
                .put("author", site.accountId(author));
        switch (state) {
            case "guarded" -> fields.put("status", "publish").put("password", "open-sesame");
            case "future" -> fields.put("status", "future").put("date", "2035-01-10T10:00:00");
            case "trash" -> fields.put("status", "publish");
            case "trashed-draft" -> fields.put("status", "draft");
            default -> fields.put("status", state);
        }
        id = site.create("/cms/v2/" + kind, fields);
        if (state.startsWith("trash")) {
            site.succeed(site.client().as(site.admin()).call("DELETE", route()));
        }
    }

    private void makeMedium() {
        Answer answer = site.succeed(site.client()
                .as(site.admin())
                .call("POST", "/cms/v2/media")
                .file(state + "-" + author + ".png", "image/png", PICTURE));
        id = Site.id(answer);
        source = answer.text("/source_url");
        ObjectNode fields = Site.fields().put("author", site.accountId(author)).put("description", marker());
        if (!state.equals("unattached")) {
            ObjectNode post = Site.fields().put("title", "Carrier").put("status", state);
            parent = site.create("/cms/v2/posts", post.put("author", site.accountId(author)));
            fields.put("post", parent);
        }
        site.update(route(), fields);
    }
}
