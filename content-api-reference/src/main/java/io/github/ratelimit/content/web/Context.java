package io.github.ratelimit.content.web;

import java.util.Locale;

/** How much of a thing is shown, and for what. */
public enum Context {
    /** For readers. */
    VIEW,
    /** Within another answer. */
    EMBED,
    /** For editors: as it was written, too. */
    EDIT;

    /** The argument that asks for a context. */
    public static final Argument ARGUMENT = Argument.optional(
            "context",
            Schema.string()
                    .describedAs("What the answer is for; decides which fields it has.")
                    .among("view", "embed", "edit")
                    .defaultsTo("view"));

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
}
