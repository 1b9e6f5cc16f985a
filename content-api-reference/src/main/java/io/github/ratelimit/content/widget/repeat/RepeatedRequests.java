package io.github.ratelimit.content.widget.repeat;

import io.github.ratelimit.content.shared.limit.WorkBudget;
import io.github.ratelimit.content.shared.settings.ServerKey;
import io.github.ratelimit.content.shared.storage.Pieces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterOutputStream;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * What was answered to requests with a key, for whoever sends them again.
 *
 * <p>Callers and keys are kept as digests, answers encrypted: an answer may be a token, and who reads the database alone
 * learns none. Safe for concurrent use, also by several servers on one database with the same server key.
 */
@Repository
public class RepeatedRequests {

    /** The request attribute that tells a caller who proved something from all others. */
    public static final String CALLER_ATTRIBUTE = "repeated-requests-caller";

    /** The request attribute that tells that a request failed whose answer had begun as if it would succeed. */
    public static final String FAILED_ATTRIBUTE = "repeated-requests-failed";

    /** The request attribute that tells that the page that asks may not read the answer, nor that to a repetition. */
    public static final String HIDDEN_ATTRIBUTE = "repeated-requests-hidden";

    /** The request attribute with a {@link Room} for its answer; without one any answer is kept. */
    public static final String ROOM_ATTRIBUTE = "repeated-requests-room";

    /** Says whether an answer may be kept for a request. */
    @FunctionalInterface
    public interface Room {
        /**
         * Takes room, once for a request.
         *
         * @param bytes of the answer as it would be stored, 1 or more
         * @return whether there was that much
         */
        boolean take(long bytes);
    }

    /** How long an answer is kept. */
    static final Duration KEPT = Duration.ofHours(24);

    // Chosen: longer than any request takes, short enough for who repeats what a killed server was asked.
    private static final Duration SERVED_WITHIN = Duration.ofMinutes(5);
    // Chosen: hours of a site that sends as fast as its limit allows.
    private static final Bounds USUAL = new Bounds(10_000, 500_000, 100);

    private static final int MAX_STORED_BYTES = 64 * 1024;
    private static final int IV_BYTES = 12;
    private static final int TAG_BITS = 128;

    private static final Logger log = LoggerFactory.getLogger(RepeatedRequests.class);

    private final InstantSource clock;
    private final JdbcClient jdbc;
    private final ServerKey key;
    private final WorkBudget budget;
    private final SecureRandom random = new SecureRandom();
    private final Bounds bounds;

    /**
     * Creates the service.
     *
     * @param clock says how old an answer is
     * @param jdbc keeps answers
     * @param key hides them
     * @param budget lets a request give its key back whatever it has done before
     */
    @Autowired
    public RepeatedRequests(InstantSource clock, JdbcClient jdbc, ServerKey key, WorkBudget budget) {
        this(clock, jdbc, key, budget, USUAL);
    }

    RepeatedRequests(InstantSource clock, JdbcClient jdbc, ServerKey key, WorkBudget budget, Bounds bounds) {
        this.budget = budget;
        this.bounds = bounds;
        this.clock = clock;
        this.jdbc = jdbc;
        this.key = key;
    }

    /**
     * How much is kept.
     *
     * @param ofCaller answers of one caller
     * @param all answers of all callers
     * @param checkedEvery one of so many requests looks for more: looking costs more than keeping a few above the bound
     */
    record Bounds(int ofCaller, int all, int checkedEvery) {}

    /**
     * A request, by what tells it from all others.
     *
     * @param caller a digest
     * @param key a digest
     */
    record Id(String caller, String key) {}

    Id id(String caller, String sentKey) {
        return new Id(callerDigest(caller), key.sign("repeated request", sentKey));
    }

    private String callerDigest(String caller) {
        return key.sign("caller of repeated requests", caller);
    }

    /**
     * An answer.
     *
     * @param fingerprint what it was asked by
     * @param status its status
     * @param contentType its type; null without a body
     * @param body may be empty
     * @param isHidden whether the page that asked may not read it
     */
    @SuppressWarnings("ArrayRecordComponent") // Never compared as a value.
    record Kept(String fingerprint, int status, @Nullable String contentType, byte[] body, boolean isHidden) {}

    /**
     * The serving of a request. Whoever takes longer than any should finds that another one has begun, and does nothing to that.
     *
     * @param id whose it is
     * @param startedAt in whole milliseconds
     */
    record Turn(Id id, Instant startedAt) {}

    /** What a request with a key has met: its own first time, which is its turn, a twin that is being served, or an earlier answer. */
    record Begun(@Nullable Turn turn, @Nullable Kept kept) {}

    /** Begins a request. One of all that come at once is the first. */
    Begun begin(Id id) {
        Instant now = now();
        // Drawn, not counted: whoever knew which request looks could let it always be another caller's.
        if (random.nextInt(bounds.checkedEvery()) == 0) {
            prune(id.caller(), now);
        }
        // More than once only where an entry disappears between two statements.
        for (int attempt = 0; attempt < 3; attempt++) {
            Turn turn = new Turn(id, now);
            if (insert(turn)) {
                return new Begun(turn, null);
            }
            Optional<Entry> found = find(id);
            if (found.isEmpty()) {
                continue;
            }
            Entry entry = found.get();
            boolean over = !entry.startedAt().plus(KEPT).isAfter(now);
            boolean abandoned = entry.fingerprint() == null
                    && !entry.startedAt().plus(SERVED_WITHIN).isAfter(now);
            if (over || abandoned) {
                delete(new Turn(id, entry.startedAt()));
                continue;
            }
            if (entry.fingerprint() == null) {
                return new Begun(null, null);
            }
            Optional<byte[]> body = decrypted(id, entry.body());
            if (body.isPresent()) {
                return new Begun(
                        null,
                        new Kept(
                                entry.fingerprint(),
                                entry.status(),
                                entry.contentType(),
                                body.get(),
                                entry.isHidden()));
            }
            delete(new Turn(id, entry.startedAt()));
        }
        return new Begun(null, null);
    }

    /** Keeps the answer; one that is too long, or for which no room is left, is not kept, and its request may be sent again as a new one. */
    void keep(Turn turn, Kept answer, Room room) {
        byte[] body = encrypted(turn.id(), answer.body());
        if (body.length > MAX_STORED_BYTES || !room.take(body.length)) {
            release(turn);
            return;
        }
        budget.giveBack(() -> {
            // Forgotten meanwhile. What says nothing may be kept still: that somebody was erased is answered twice.
            if (!complete(turn, answer, body) && answer.body().length == 0) {
                Turn again = new Turn(turn.id(), now());
                if (insert(again)) {
                    complete(again, answer, body);
                }
            }
        });
    }

    private boolean complete(Turn turn, Kept answer, byte[] body) {
        return jdbc.sql(
                                "update repeated_request set fingerprint = :fingerprint, status = :status, content_type = :type,"
                                        + " body = :body, hidden = :hidden where caller = :caller and request_key = :key and started_at = :started and fingerprint is null")
                        .param("fingerprint", answer.fingerprint())
                        .param("status", answer.status())
                        .param("type", answer.contentType())
                        .param("body", body)
                        .param("hidden", answer.isHidden())
                        .param("caller", turn.id().caller())
                        .param("key", turn.id().key())
                        .param("started", turn.startedAt().atOffset(ZoneOffset.UTC))
                        .update()
                > 0;
    }

    /** Forgets a request that did nothing. */
    void release(Turn turn) {
        budget.giveBack(() -> delete(turn));
    }

    /**
     * Forgets what a caller was answered, also what is only on its way: of requests that are being served no answer is kept that says
     * anything. Belongs into the transaction that deletes what they are about.
     *
     * @param caller as in {@link #CALLER_ATTRIBUTE}
     */
    public void forget(String caller) {
        jdbc.sql("delete from repeated_request where caller = :caller")
                .param("caller", callerDigest(caller))
                .update();
    }

    /**
     * Forgets some of what a caller was answered, for {@link #forget} to find little: not what is only on its way.
     *
     * @param caller as in {@link #CALLER_ATTRIBUTE}
     * @return how many answers, {@link Pieces#ROWS} at most; 0: there is none
     */
    public int forgetSome(String caller) {
        List<String> keys = jdbc.sql("select request_key from repeated_request"
                        + " where caller = :caller and fingerprint is not null fetch first :most rows only")
                .param("caller", callerDigest(caller))
                .param("most", Pieces.ROWS)
                .query(String.class)
                .list();
        return keys.isEmpty()
                ? 0
                : jdbc.sql("delete from repeated_request where caller = :caller and request_key in (:keys)")
                        .param("caller", callerDigest(caller))
                        .param("keys", keys)
                        .update();
    }

    private boolean insert(Turn turn) {
        try {
            jdbc.sql("insert into repeated_request (caller, request_key, started_at) values (:caller, :key, :now)")
                    .param("caller", turn.id().caller())
                    .param("key", turn.id().key())
                    .param("now", turn.startedAt().atOffset(ZoneOffset.UTC))
                    .update();
            return true;
        } catch (DuplicateKeyException e) {
            return false;
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // Never compared as a value.
    private record Entry(
            @Nullable String fingerprint,
            int status,
            @Nullable String contentType,
            byte @Nullable [] body,
            boolean isHidden,
            Instant startedAt) {}

    private Optional<Entry> find(Id id) {
        return jdbc.sql("select fingerprint, status, content_type, body, hidden, started_at from repeated_request"
                        + " where caller = :caller and request_key = :key")
                .param("caller", id.caller())
                .param("key", id.key())
                .query((row, number) -> new Entry(
                        row.getString("fingerprint"),
                        row.getInt("status"),
                        row.getString("content_type"),
                        row.getBytes("body"),
                        row.getBoolean("hidden"),
                        row.getObject("started_at", OffsetDateTime.class).toInstant()))
                .optional();
    }

    private void delete(Turn turn) {
        jdbc.sql("delete from repeated_request where caller = :caller and request_key = :key and started_at = :started")
                .param("caller", turn.id().caller())
                .param("key", turn.id().key())
                .param("started", turn.startedAt().atOffset(ZoneOffset.UTC))
                .update();
    }

    /** Forgets all answers whose time is over: it may be long until a request with a key comes again. */
    public void forgetOver() {
        Pieces.deleteAll(() -> forgetSomeOver(now()));
    }

    /** Drops what is over, then what is too much: of this caller, and of all. The oldest goes first. */
    private void prune(String caller, Instant now) {
        // The request that does it does not wait for what all left a day ago: the next ones go on.
        forgetSomeOver(now);
        jdbc.sql("delete from repeated_request where caller = :caller and started_at <="
                        + " (select started_at from repeated_request where caller = :caller"
                        + " order by started_at desc offset :most rows fetch next 1 rows only)")
                .param("caller", caller)
                .param("most", bounds.ofCaller())
                .update();
        jdbc.sql("delete from repeated_request where started_at <= (select started_at from repeated_request"
                        + " order by started_at desc offset :most rows fetch next 1 rows only)")
                .param("most", bounds.all())
                .update();
    }

    private int forgetSomeOver(Instant now) {
        return jdbc.sql(
                        "delete from repeated_request where started_at <= coalesce((select started_at from repeated_request"
                                + " where started_at <= :end order by started_at offset :piece rows fetch next 1 rows only), :end)")
                .param("end", now.minus(KEPT).atOffset(ZoneOffset.UTC))
                .param("piece", Pieces.ROWS)
                .update();
    }

    private byte[] encrypted(Id id, byte[] body) {
        try {
            var packed = new ByteArrayOutputStream();
            try (var deflater = new DeflaterOutputStream(packed)) {
                deflater.write(body);
            }
            byte[] iv = new byte[IV_BYTES];
            random.nextBytes(iv);
            byte[] secret = cipher(Cipher.ENCRYPT_MODE, id, iv).doFinal(packed.toByteArray());
            byte[] stored = Arrays.copyOf(iv, IV_BYTES + secret.length);
            System.arraycopy(secret, 0, stored, IV_BYTES, secret.length);
            return stored;
        } catch (IOException e) {
            throw new UncheckedIOException("an answer could not be packed", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES/GCM", e);
        }
    }

    /** Empty where another server key was in use: such an answer is as good as forgotten. */
    private Optional<byte[]> decrypted(Id id, byte @Nullable [] stored) {
        if (stored == null || stored.length < IV_BYTES + TAG_BITS / 8) {
            return Optional.empty();
        }
        try {
            byte[] packed = cipher(Cipher.DECRYPT_MODE, id, Arrays.copyOf(stored, IV_BYTES))
                    .doFinal(stored, IV_BYTES, stored.length - IV_BYTES);
            var body = new ByteArrayOutputStream();
            try (var inflater = new InflaterOutputStream(body)) {
                inflater.write(packed);
            }
            return Optional.of(body.toByteArray());
        } catch (IOException | GeneralSecurityException e) {
            log.warn("a kept answer could not be read; is the server's key another one?", e);
            return Optional.empty();
        }
    }

    /** The id is authenticated with the answer: an entry that is copied to another caller opens nothing. */
    private Cipher cipher(int mode, Id id, byte[] iv) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        byte[] secret = HexFormat.of().parseHex(key.sign("answers to repeated requests", ""));
        cipher.init(mode, new SecretKeySpec(secret, "AES"), new GCMParameterSpec(TAG_BITS, iv));
        cipher.updateAAD((id.caller() + id.key()).getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }
}
