package io.github.ratelimit.content.cms.rest;

import java.util.List;
import java.util.Locale;

/** How much of a thing is shown, and for what. */
public enum Context {
    /** For readers. */
    VIEW,
    /** Within another answer. */
    EMBED,
    /** For editors: as it was written, too. */
    EDIT;

    /** In which members are shown that everybody sees. */
    public static final List<Context> EVERYWHERE = List.of(VIEW, EDIT, EMBED);

    /** In which members are shown that belong to a thing alone. */
    public static final List<Context> NOT_EMBEDDED = List.of(VIEW, EDIT);

    /** In which members are shown that only editors see. */
    public static final List<Context> EDITING = List.of(EDIT);

    /** The argument that asks for a context. */
    public static final Argument ARGUMENT = Argument.optional(
                    "context",
                    Schema.string("What the answer is for; decides which fields it has.")
                            .among("view", "embed", "edit")
                            .defaultsTo("view"))
            .checkedFirst();

    /**
     * Tells the context that a request asks for.
     *
     * @param request declares {@link #ARGUMENT}
     * @return view, where it asks for none
     */
    public static Context of(RestRequest request) {
        return request.arguments()
                .text("context")
                .map(name -> valueOf(name.toUpperCase(Locale.ROOT)))
                .orElse(VIEW);
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
