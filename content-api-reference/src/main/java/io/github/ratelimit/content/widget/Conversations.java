package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.shared.storage.Pieces;
import io.github.ratelimit.content.widget.Assistant.Answer;
import io.github.ratelimit.content.widget.Assistant.Question;
import io.github.ratelimit.content.widget.api.ApiException;
import io.github.ratelimit.content.widget.api.Listing;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.content.widget.repeat.RepeatedRequests;
import io.github.ratelimit.content.widget.sync.Workspaces;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
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
    private final RatingStore ratings;
    private final RepeatedRequests repeated;
    private final TransactionOperations transactions;

    Conversations(
            InstantSource clock,
            ConversationStore store,
            Workspaces workspaces,
            Assistant assistant,
            RatingStore ratings,
            RepeatedRequests repeated,
            TransactionOperations transactions) {
        this.ratings = ratings;
        this.repeated = repeated;
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
        // One that is not there is answered like any other: nobody learns which are there by trying.
        boolean isKnown = workspace == null || workspaces.exists(workspace);
        String owner = workspace == null ? workspaces.defaultId().orElse(null) : isKnown ? workspace : null;
        Instant now = now();
        var conversation = new Conversation(
                UUID.randomUUID(),
                owner,
                isKnown ? null : workspace,
                null,
                Conversation.Status.OPEN,
                visitor,
                page,
                null,
                now,
                now);
        store.add(conversation);
        return conversation;
    }

    /**
     * Finds the conversation that a token was for, to go on with it.
     *
     * @param session whose token was shown
     * @param workspace the site that the widget says it belongs to; null where it says nothing
     * @return empty where the conversation was erased, or is of another site
     */
    Optional<Conversation> resume(VisitorSession session, @Nullable String workspace) {
        return store.find(session.conversationId()).filter(found -> workspace == null || found.isOf(workspace));
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
        return say(session, text, begun -> {}, piece -> {});
    }

    /**
     * Takes a message and answers it.
     *
     * @param session whose it is
     * @param text plain text
     * @param begun told the visitor's message, once it is sure that it is answered
     * @param pieces told the answer piece by piece
     */
    Exchange say(VisitorSession session, String text, Consumer<Message> begun, Consumer<String> pieces) {
        Conversation conversation = get(session);
        Instant asked = now();
        // Fail before the work that costs; what counts is asked again below.
        requireOpen(conversation.status() == Conversation.Status.OPEN);
        var message = new Message(UUID.randomUUID(), Message.Author.VISITOR, text, List.of(), asked);
        begun.accept(message);
        Answer answer = assistant.answer(new Question(workspaceOf(conversation), text), pieces);

        var reply = new Message(UUID.randomUUID(), Message.Author.ASSISTANT, answer.text(), answer.sources(), now());
        transactions.executeWithoutResult(status -> {
            if (!store.touchOpen(session.conversationId(), reply.createdAt())) {
                // Erased, or else closed.
                get(session);
                requireOpen(false);
            }
            store.add(session.conversationId(), message);
            store.add(session.conversationId(), reply);
        });
        return new Exchange(message, reply);
    }

    Feedback rate(VisitorSession session, UUID message, @Nullable Boolean helpful, @Nullable String comment) {
        return leave(session.conversationId(), () -> {
            if (!store.hasMessage(session.conversationId(), message)) {
                throw ApiException.notFound("The conversation has no such message.");
            }
            var feedback = new Feedback(UUID.randomUUID(), message, helpful, comment, now());
            store.add(feedback);
            return feedback;
        });
    }

    /**
     * Leaves something in a conversation, which is not erased meanwhile: a row that a database lets in beside the erasure
     * would outlive it.
     *
     * @param conversation where; null: in none
     * @param addition stores it, without waiting for anything
     * @return what {@code addition} returns
     */
    <T> T leave(@Nullable UUID conversation, Supplier<T> addition) {
        if (conversation == null) {
            return addition.get();
        }
        return Objects.requireNonNull(transactions.execute(status -> {
            if (!store.lock(conversation)) {
                throw gone();
            }
            return addition.get();
        }));
    }

    Conversation setStatus(VisitorSession session, Conversation.Status status) {
        return changed(session, id -> store.setStatus(id, status, now()));
    }

    Conversation rename(VisitorSession session, @Nullable String title) {
        return changed(session, id -> store.setTitle(id, title, now()));
    }

    /** In a transaction, so that the request is known to have stored something, and may read on to tell. */
    private Conversation changed(VisitorSession session, Consumer<UUID> change) {
        transactions.executeWithoutResult(status -> change.accept(session.conversationId()));
        return get(session);
    }

    /** Who leaves something, and at which site. */
    record Place(@Nullable String workspace, @Nullable UUID conversation) {}

    /**
     * Finds where a caller leaves something who needs no token.
     *
     * @param session who calls, where that was proven: the site is the conversation's
     * @param named the site that the request names; without either it is the oldest one
     */
    Place place(@Nullable VisitorSession session, @Nullable String named) {
        if (session != null) {
            Conversation conversation = get(session);
            String owner = workspaceOf(conversation);
            if (named != null && !named.equals(owner) && !conversation.isOf(named)) {
                throw ApiException.invalid(Map.of("workspace", "is not the one of the token"));
            }
            return new Place(owner, conversation.id());
        }
        if (named == null) {
            return new Place(workspaces.defaultId().orElse(null), null);
        }
        return new Place(workspaces.exists(named) ? named : null, null);
    }

    /** Returns the site that a caller deals with: the conversation's, where it names one, else the oldest. */
    @Nullable
    String workspaceOf(@Nullable Conversation conversation) {
        if (conversation != null && conversation.unknownWorkspace() != null) {
            return null;
        }
        return conversation == null || conversation.workspaceId() == null
                ? workspaces.defaultId().orElse(null)
                : conversation.workspaceId();
    }

    void typing(VisitorSession session) {
        store.setTyping(session.conversationId(), now());
    }

    Listing<Feedback> feedback(String workspace, Slice slice) {
        return store.feedback(workspace, slice);
    }

    Listing<Message> messages(VisitorSession session, Slice slice) {
        return messages(get(session).id(), slice);
    }

    /** Finds a conversation of a site; those of other sites are not there. */
    Conversation get(String workspace, UUID id) {
        return store.find(workspace, id).orElseThrow(Conversations::unknown);
    }

    Listing<Message> messages(String workspace, UUID id, Slice slice) {
        return messages(get(workspace, id).id(), slice);
    }

    private Listing<Message> messages(UUID conversation, Slice slice) {
        return slice.listing(
                store.messages(conversation, slice.offset(), slice.perPage()), store.countMessages(conversation));
    }

    /** Erases all that a visitor left in a conversation. */
    void erase(VisitorSession session) {
        if (!eraseIfThere(session.conversationId())) {
            throw gone();
        }
    }

    /** Erases all that a visitor left in a conversation of a site. */
    void erase(String workspace, UUID id) {
        if (!eraseIfThere(get(workspace, id).id())) {
            throw unknown();
        }
    }

    /**
     * Erases the conversations of a visitor.
     *
     * @param workspace the site; nothing of another one is erased
     * @param email the address that the visitor left; null: not looked for
     * @param visitor what the page said about the visitor, as JSON; null: not looked for
     * @return how many conversations there were
     */
    int eraseAll(String workspace, @Nullable String email, @Nullable String visitor) {
        Set<UUID> found = new LinkedHashSet<>();
        if (email != null) {
            found.addAll(store.ofEmail(workspace, email));
        }
        if (visitor != null) {
            found.addAll(store.ofVisitor(workspace, visitor));
        }
        int erased = 0;
        for (UUID id : found) {
            erased += eraseIfThere(id) ? 1 : 0;
        }
        return erased;
    }

    /** Erases a conversation of any site; returns whether there was one. */
    boolean eraseIfThere(UUID id) {
        return eraseInPieces(id, () -> true);
    }

    /** Erases a conversation in which nothing happened since a moment; returns whether there was one. */
    boolean eraseIfOver(UUID id, Instant last) {
        return eraseInPieces(id, () -> store.isOver(id, last));
    }

    private boolean eraseInPieces(UUID id, BooleanSupplier condition) {
        // What is in it first, piece by piece: nobody waits for longer than one takes.
        Pieces.deleteAll(() -> Objects.requireNonNull(transactions.execute(
                status -> store.lock(id) && condition.getAsBoolean() ? erasePiece(id) : Integer.valueOf(0))));
        return eraseIf(id, condition);
    }

    private int erasePiece(UUID id) {
        int deleted = store.deletePiece(id);
        return deleted > 0 ? deleted : repeated.forgetSome(new VisitorSession(id).caller());
    }

    /** Erases a conversation in which nothing was said; returns whether there was one. */
    boolean eraseIfSilent(UUID id) {
        return eraseIf(id, () -> store.isSilent(id));
    }

    private boolean eraseIf(UUID id, BooleanSupplier condition) {
        return Boolean.TRUE.equals(transactions.execute(status -> {
            // Whoever adds to the conversation waits for the lock, and then finds none to add to.
            if (!store.lock(id) || !condition.getAsBoolean()) {
                return false;
            }
            ratings.erase(id);
            store.delete(id);
            // Answers repeat what was left. Here, as they must not outlive it, not even if the server is killed.
            repeated.forget(new VisitorSession(id).caller());
            return true;
        }));
    }

    Listing<Conversation> list(String workspace, Slice slice) {
        return store.list(workspace, slice);
    }

    private static void requireOpen(boolean open) {
        if (!open) {
            throw ApiException.of(
                    HttpStatus.CONFLICT, "conversation_closed", "The conversation is closed. Reopen it to go on.");
        }
    }

    private static ApiException unknown() {
        return ApiException.notFound("The workspace has no such conversation.");
    }

    private static ApiException gone() {
        return ApiException.unauthorized("The conversation of this token no longer exists. Call init for a new one.");
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
