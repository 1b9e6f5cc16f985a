package io.github.ratelimit.content.widget;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers visitors. A bean of this type replaces the built-in assistant, which quotes the site's documents.
 * Implementations are safe for concurrent use.
 */
@FunctionalInterface
public interface Assistant {

    /**
     * Answers a question. Runs outside of any transaction, so it may be slow.
     *
     * @param question what a visitor wrote
     * @return the answer
     */
    Answer answer(Question question);

    /**
     * A visitor's question.
     *
     * @param workspaceId the site that the widget belongs to; null without a workspace
     * @param text plain text
     */
    record Question(@Nullable String workspaceId, String text) {}

    /**
     * An answer.
     *
     * @param text plain text, at most 8000 characters
     * @param sources the documents behind the answer, best first
     */
    record Answer(String text, List<Source> sources) {

        /** Copies the list. */
        public Answer {
            sources = List.copyOf(sources);
        }
    }

    /**
     * A document behind an answer.
     *
     * @param documentId the document's id in its workspace
     * @param title plain text, may be empty
     * @param url where visitors read it
     */
    record Source(String documentId, String title, @Nullable String url) {}
}
