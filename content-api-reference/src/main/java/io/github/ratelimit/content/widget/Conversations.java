package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.api.ApiException;
import io.github.ratelimit.content.api.Listing;
import io.github.ratelimit.content.api.Slice;
import io.github.ratelimit.content.sync.Workspaces;
import io.github.ratelimit.content.widget.Assistant.Answer;
import io.github.ratelimit.content.widget.Assistant.Question;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Conversations of visitors with the assistant. Safe for concurrent use. */
@Service
class Conversations {

    private final InstantSource clock;
    private final ConversationStore store;
    private final Workspaces workspaces;
    private final Assistant assistant;
    private final TransactionOperations transactions;

    Conversations(
            InstantSource clock,
            ConversationStore store,
            Workspaces workspaces,
            Assistant assistant,
            TransactionOperations transactions) {
        this.clock = clock;
        this.store = store;
        this.workspaces = workspaces;
        this.assistant = assistant;
        this.transactions = transactions;
    }

    /**
     * Begins a conversation.
     *
     * @param workspace the site that the widget belongs to; null: the oldest workspace, which is the only one of most
     *     servers
     * @param visitor what the page says about the visitor, as JSON
     * @param page what the page says about itself, as JSON
     */
    Conversation begin(@Nullable String workspace, @Nullable String visitor, @Nullable String page) {
        if (workspace != null && !workspaces.exists(workspace)) {
            throw ApiException.invalid(Map.of("workspace", "is not known"));
        }
        String owner = workspace == null ? workspaces.defaultId().orElse(null) : workspace;
        Instant now = now();
        var conversation = new Conversation(
                UUID.randomUUID(), owner, null, Conversation.Status.OPEN, visitor, page, null, now, now);
        store.add(conversation);
        return conversation;
    }

    Conversation get(VisitorSession session) {
        return store.find(session.conversationId()).orElseThrow(Conversations::gone);
    }

    List<Message> newestMessages(VisitorSession session, int most) {
        return store.newest(session.conversationId(), most);
    }

    /** What a visitor wrote and what was answered. */
    record Exchange(Message message, Message answer) {}

    Exchange say(VisitorSession session, String text) {
        Conversation conversation = get(session);
        Instant asked = now();
        // Fail before the work that costs; what counts is asked again below.
        requireOpen(conversation.status() == Conversation.Status.OPEN);
        Answer answer = assistant.answer(new Question(workspaceOf(conversation), text));

        var message = new Message(UUID.randomUUID(), Message.Author.VISITOR, text, List.of(), asked);
        var reply = new Message(UUID.randomUUID(), Message.Author.ASSISTANT, answer.text(), answer.sources(), now());
        transactions.executeWithoutResult(status -> {
            requireOpen(store.touchOpen(session.conversationId(), reply.createdAt()));
            store.add(session.conversationId(), message);
            store.add(session.conversationId(), reply);
        });
        return new Exchange(message, reply);
    }

    Feedback rate(VisitorSession session, UUID message, @Nullable Boolean helpful, @Nullable String comment) {
        if (!store.hasMessage(session.conversationId(), message)) {
            throw ApiException.notFound("The conversation has no such message.");
        }
        var feedback = new Feedback(UUID.randomUUID(), message, helpful, comment, now());
        store.add(feedback);
        return feedback;
    }

    Conversation setStatus(VisitorSession session, Conversation.Status status) {
        store.setStatus(session.conversationId(), status, now());
        return get(session);
    }

    Conversation rename(VisitorSession session, @Nullable String title) {
        store.setTitle(session.conversationId(), title, now());
        return get(session);
    }

    /** Returns the site that a caller deals with: the conversation's, where there is one, else the oldest. */
    @Nullable
    String workspaceOf(@Nullable Conversation conversation) {
        return conversation == null || conversation.workspaceId() == null
                ? workspaces.defaultId().orElse(null)
                : conversation.workspaceId();
    }

    void typing(VisitorSession session) {
        store.setTyping(session.conversationId(), now());
    }

    Listing<Feedback> feedback(String workspace, Slice slice) {
        return slice.listing(
                store.feedback(workspace, slice.offset(), slice.perPage()), store.countFeedback(workspace));
    }

    Listing<Conversation> list(String workspace, Slice slice) {
        return slice.listing(store.page(workspace, slice.offset(), slice.perPage()), store.count(workspace));
    }

    private static void requireOpen(boolean open) {
        if (!open) {
            throw ApiException.of(
                    HttpStatus.CONFLICT, "conversation_closed", "The conversation is closed. Reopen it to go on.");
        }
    }

    private static ApiException gone() {
        return ApiException.unauthorized("The conversation of this token no longer exists. Call init for a new one.");
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
