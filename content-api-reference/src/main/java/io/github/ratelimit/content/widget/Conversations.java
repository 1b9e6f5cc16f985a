package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.Assistant.Answer;
import io.github.ratelimit.content.widget.Assistant.Question;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.settings.WidgetSettings;
import io.github.ratelimit.content.widget.sync.Workspaces;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/** Conversations of visitors with the assistant. Safe for concurrent use. */
@Service
class Conversations {
    // Chosen: what a row takes beside its texts.
    private static final int ROW = 100;

    private final InstantSource clock;
    private final ConversationStore store;
    private final Workspaces workspaces;
    private final Assistant assistant;
    private final JsonText json;
    private final TransactionOperations transactions;
    private final long maxSize;

    Conversations(
            InstantSource clock,
            ConversationStore store,
            Workspaces workspaces,
            Assistant assistant,
            JsonText json,
            TransactionOperations transactions,
            WidgetSettings settings) {
        this.clock = clock;
        this.store = store;
        this.workspaces = workspaces;
        this.assistant = assistant;
        this.json = json;
        this.transactions = transactions;
        this.maxSize = settings.widget().maxSize().toBytes();
    }

    /**
     * Begins a conversation.
     *
     * @param workspace the site of the widget; null: the oldest workspace. It is not checked: no answer tells which workspaces exist.
     * @param visitor JSON from the page about the visitor
     * @param page JSON from the page about itself
     */
    Conversation begin(@Nullable String workspace, @Nullable String visitor, @Nullable String page) {
        OffsetDateTime now = now();
        var conversation =
                new Conversation(UUID.randomUUID(), workspace, null, Conversation.OPEN, visitor, page, null, now, now);
        store.add(conversation);
        return conversation;
    }

    Conversation get(VisitorTokens.Session session) {
        return store.find(session.conversationId()).orElseThrow(Conversations::gone);
    }

    List<Conversation.Message> newestMessages(VisitorTokens.Session session, int most) {
        return store.newest(session.conversationId(), most);
    }

    /** A visitor's message and its answer. */
    record Exchange(Conversation.Message message, Conversation.Message answer) {}

    /** Stores a message together with its answer. */
    Exchange say(VisitorTokens.Session session, String text) {
        Conversation conversation = get(session);
        requireOpen(conversation.status().equals(Conversation.OPEN));
        Conversation.Message message = message(session, "visitor", text, "[]");
        Answer answer = assistant.answer(new Question(workspaceOf(conversation), text));
        Conversation.Message reply = message(session, "assistant", answer.text(), json.ofSources(answer.sources()));
        transactions.executeWithoutResult(status -> {
            // The conversation may have been closed or erased meanwhile.
            touch(session, Conversation.OPEN, size(text) + size(reply.text(), reply.sources()));
            store.add(message);
            store.add(reply);
        });
        return new Exchange(message, reply);
    }

    private Conversation.Message message(VisitorTokens.Session session, String author, String text, String sources) {
        return new Conversation.Message(UUID.randomUUID(), session.conversationId(), author, text, sources, now());
    }

    Conversation.Feedback rate(
            VisitorTokens.Session session, UUID message, @Nullable Boolean helpful, @Nullable String comment) {
        return change(session, size(comment), () -> {
            if (!store.hasMessage(session.conversationId(), message)) {
                throw ApiException.notFound("The conversation has no such message.");
            }
            return added(store::add, new Conversation.Feedback(UUID.randomUUID(), message, helpful, comment, now()));
        });
    }

    Conversation.Event report(VisitorTokens.Session session, String name, String properties) {
        var event = new Conversation.Event(UUID.randomUUID(), session.conversationId(), name, properties, now());
        return change(session, size(name, properties), () -> added(store::add, event));
    }

    Conversation.Lead addLead(
            VisitorTokens.Session session,
            String email,
            @Nullable String name,
            @Nullable String phone,
            @Nullable String note) {
        var lead = new Conversation.Lead(UUID.randomUUID(), session.conversationId(), email, name, phone, note, now());
        return change(session, size(email, name, phone, note), () -> added(store::add, lead));
    }

    /** Stores a rating, in the conversation if there is a session. */
    Conversation.Rating rate(VisitorTokens.@Nullable Session session, int rating, @Nullable String comment) {
        UUID conversation = session == null ? null : session.conversationId();
        var given = new Conversation.Rating(UUID.randomUUID(), conversation, rating, comment, now());
        return session == null
                ? added(store::add, given)
                : change(session, size(comment), () -> added(store::add, given));
    }

    Conversation setStatus(VisitorTokens.Session session, String status) {
        return change(session, 0, () -> {
            store.setStatus(session.conversationId(), status);
            return get(session);
        });
    }

    Conversation rename(VisitorTokens.Session session, @Nullable String title) {
        return change(session, 0, () -> {
            store.setTitle(session.conversationId(), title);
            return get(session);
        });
    }

    void typing(VisitorTokens.Session session) {
        store.setTyping(session.conversationId(), now());
    }

    /** Erases everything that a visitor left in a conversation. */
    void erase(VisitorTokens.Session session) {
        if (!store.delete(session.conversationId())) {
            throw gone();
        }
    }

    private static <T> T added(Consumer<T> store, T row) {
        store.accept(row);
        return row;
    }

    /** Changes a conversation. Its row is locked, so no addition outlives a concurrent erasure. */
    private <T> T change(VisitorTokens.Session session, long added, Supplier<T> change) {
        return Objects.requireNonNull(transactions.execute(status -> {
            touch(session, null, added);
            return change.get();
        }));
    }

    private void touch(VisitorTokens.Session session, @Nullable String status, long added) {
        if (!store.touch(session.conversationId(), status, added, maxSize, now())) {
            Conversation conversation = get(session);
            requireOpen(status == null || conversation.status().equals(status));
            throw ApiException.of(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "quota_exceeded",
                    "A conversation keeps at most " + maxSize + " characters. Begin another one.");
        }
    }

    private static long size(@Nullable String... texts) {
        return ROW
                + Stream.of(texts)
                        .filter(Objects::nonNull)
                        .mapToLong(String::length)
                        .sum();
    }

    /** Returns the workspace of a session, or else the oldest one; null without any workspace. */
    @Nullable
    String workspaceOf(VisitorTokens.@Nullable Session session) {
        return session == null ? workspaces.defaultId().orElse(null) : workspaceOf(get(session));
    }

    private @Nullable String workspaceOf(Conversation conversation) {
        String workspace = conversation.workspaceId();
        return workspace != null ? workspace : workspaces.defaultId().orElse(null);
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

    private OffsetDateTime now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS).atOffset(ZoneOffset.UTC);
    }
}
