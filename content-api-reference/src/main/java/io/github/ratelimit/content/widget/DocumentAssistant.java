package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.sync.Documents;
import io.github.ratelimit.content.widget.sync.Passage;
import java.util.List;

/** Quotes the passage of the workspace's documents that matches best, and names the documents that match. */
final class DocumentAssistant implements Assistant {

    // Chosen: as many as fit below an answer.
    private static final int MOST_SOURCES = 3;
    private static final String NOTHING_FOUND =
            "I found nothing about that on this site. Could you put it in other words?";

    private final Documents documents;

    DocumentAssistant(Documents documents) {
        this.documents = documents;
    }

    @Override
    public Answer answer(Question question) {
        List<Passage> passages = question.workspaceId() == null
                ? List.of()
                : documents.search(question.workspaceId(), question.text(), MOST_SOURCES);
        if (passages.isEmpty()) {
            return new Answer(NOTHING_FOUND, List.of());
        }
        List<Source> sources = passages.stream()
                .map(passage -> new Source(passage.documentId(), passage.title(), passage.url()))
                .toList();
        return new Answer(passages.get(0).text(), sources);
    }
}
