package io.github.ratelimit.content.widget;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * Answers visitors. A bean of this type takes the place of the built-in one, which quotes the site's own documents.
 * Implementations are safe for concurrent use.
 */
@FunctionalInterface
public interface Assistant {

    /**
     * Answers a question. May take its time: it is asked outside of any transaction.
     *
     * @param question what a visitor wrote
     * @return the answer
     */
    Answer answer(Question question);

    /**
     * Answers a question piece by piece, for visitors who read along. An assistant that knows its answer only as a whole
     * leaves this as it is.
     *
     * @param question what a visitor wrote
     * @param pieces takes each piece of the answer's text as soon as there is one; all of them together are the text
     * @return the whole answer
     */
    default Answer answer(Question question, Consumer<String> pieces) {
        Answer answer = answer(question);
        pieces.accept(answer.text());
        return answer;
    }

    /**
     * What a visitor wrote.
     *
     * @param workspaceId the site that the widget belongs to; null while there is no workspace
     * @param text plain text
     */
    record Question(@Nullable String workspaceId, String text) {}

    /**
     * What is answered.
     *
     * @param text plain text, at most 8000 characters
     * @param sources what it was taken from, best first
     */
    record Answer(String text, List<Source> sources) {

        /** Copies the list. */
        public Answer {
            sources = List.copyOf(sources);
        }
    }

    /**
     * A document that an answer was taken from.
     *
     * @param documentId the document's id in its workspace
     * @param title plain text, may be empty
     * @param url where visitors read it
     */
    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Source(String documentId, String title, @Nullable String url) {}
}
