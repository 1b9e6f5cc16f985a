package io.github.ratelimit.content.widget.sync;

import org.jspecify.annotations.Nullable;

/**
 * A few sentences of a document that match a question.
 *
 * @param documentId the document's id in its workspace
 * @param title the document's title, may be empty
 * @param url where visitors read it
 * @param text plain text
 */
public record Passage(
        String documentId, String title, @Nullable String url, String text) {}
