package io.github.ratelimit.content.widget;

import java.util.UUID;

/**
 * The caller of a verified visitor token.
 *
 * @param conversationId also the key of the limiters {@code widget-session} and {@code widget-leads}
 */
record VisitorSession(UUID conversationId) {

    /** The request attribute with the key of a verified token. */
    static final String KEY_ATTRIBUTE = "visitor-session";
}
