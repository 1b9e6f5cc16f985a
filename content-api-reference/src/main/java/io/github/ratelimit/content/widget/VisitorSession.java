package io.github.ratelimit.content.widget;

import java.util.UUID;

/**
 * Proof that a caller holds the token of a conversation.
 *
 * @param conversationId the conversation, and at once the session that the {@code widget-session} limiter counts by:
 *     the signed claim, whatever the spelling of the token that carried it
 */
record VisitorSession(UUID conversationId) {

    /** Tells the caller from all others, for what is remembered of callers. */
    String caller() {
        return "visitor:" + conversationId;
    }

    /** The request attribute that holds the session claim of a valid token. */
    static final String KEY_ATTRIBUTE = "visitor-session";

    /** The request attribute that holds the proof itself; a constant, for annotations, with the value of the class's name. */
    static final String PROOF_ATTRIBUTE = "io.github.ratelimit.content.widget.VisitorSession";
}
