package io.github.ratelimit.content.authorisation;

import tools.jackson.databind.node.ObjectNode;

/** One of two things that hidden items may say. They share nothing but ids, kinds, authors and statuses. */
enum Wording {
    ONE("zebra", "2021-02-03T04:05:06", "2035-01-10T10:00:00"),
    OTHER("aquagga", "2023-08-09T10:11:12", "2036-02-11T11:00:00");

    private final String word;
    private final String past;
    private final String future;

    Wording(String word, String past, String future) {
        this.word = word;
        this.past = past;
        this.future = future;
    }

    /** A word that is found in hidden items of this wording, and nowhere else. */
    String word() {
        return word;
    }

    /** The slug of a hidden item. */
    String slug(long id) {
        return word + "-" + id;
    }

    /** The moment at which hidden items of this wording were published. */
    String past() {
        return past;
    }

    /** What an item says that may not be read. */
    ObjectNode fields(String state, long id, long term, long picture) {
        boolean isOther = this == OTHER;
        ObjectNode fields = Site.fields()
                .put("title", word + " number " + id)
                .put("content", text())
                .put("excerpt", word + " in short")
                .put("slug", slug(id))
                .put("date", state.equals("future") ? future : past)
                .put("featured_media", isOther ? picture : 0)
                .put("comment_status", isOther ? "closed" : "open")
                .put("menu_order", isOther ? 7 : 1)
                .put("format", isOther ? "aside" : "standard")
                .put("sticky", isOther);
        fields.putArray("tags").add(term);
        return fields;
    }

    /** The words that are said about a file. */
    ObjectNode words(long id) {
        return Site.fields()
                .put("title", word + " picture")
                .put("caption", word + " signing")
                .put("description", text())
                .put("alt_text", word + " at a table")
                .put("slug", slug(id));
    }

    /** A text of another length than the other one's. */
    String text() {
        return "<p>" + (word + " merger ").repeat(this == OTHER ? 300 : 1) + "</p>";
    }
}
