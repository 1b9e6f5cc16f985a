package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.server.settings.ServerKey;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/**
 * Passwords that applications send with each request.
 *
 * <p>They are long and random, so one keyed hash keeps them well; a slow hash on the path of every request would be a way
 * to stop the server. Safe for concurrent use.
 */
@Service
public class ApplicationPasswords {
    private static final Logger log = LoggerFactory.getLogger(ApplicationPasswords.class);

    private static final String SIGNS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final int LENGTH = 24;
    private static final String PURPOSE = "application-password";
    /** Chosen: enough to find passwords that nobody needs, without a write for each request. */
    private static final Duration USE_IS_NOTED_EVERY = Duration.ofDays(1);

    /** As the database is told it: what a proxy calls an address may be any text. */
    private static final int LONGEST_ADDRESS = 45;

    private static final String COLUMNS =
            "p.uuid, p.account_id, p.app_id, p.name, p.created_at, p.last_used_at, p.last_address";

    private final InstantSource clock;
    private final JdbcClient jdbc;
    private final ServerKey key;
    private final boolean enabled;
    private final SecureRandom random = new SecureRandom();

    ApplicationPasswords(InstantSource clock, JdbcClient jdbc, ServerKey key, CmsSettings settings) {
        this.clock = clock;
        this.jdbc = jdbc;
        this.key = key;
        this.enabled = settings.applicationPasswords().enabled();
    }

    /**
     * Tells whether applications may have passwords: {@code content-api.application-passwords.enabled}.
     *
     * @return false: none is issued, none is accepted, and nobody is told that there could be any
     */
    public boolean isEnabled() {
        return enabled;
    }

    /**
     * A password that was just made: the only moment when it can be read.
     *
     * @param secret 24 letters and digits
     * @param password what is kept of it
     */
    public record Issued(String secret, ApplicationPassword password) {
        /** Does not print the secret. */
        @Override
        public String toString() {
            return "Issued[" + password.uuid() + "]";
        }

        /**
         * Spells the secret as people read it.
         *
         * @return in groups of four
         */
        public String grouped() {
            return secret.replaceAll("(.{4})(?=.)", "$1 ");
        }
    }

    /**
     * Makes a password.
     *
     * @param accountId whose it is
     * @param name what its owner calls it
     * @param appId the UUID of the application, or empty
     * @return the password, for the last time
     */
    public Issued issue(long accountId, String name, String appId) {
        StringBuilder secret = new StringBuilder(LENGTH);
        random.ints(LENGTH, 0, SIGNS.length()).forEach(sign -> secret.append(SIGNS.charAt(sign)));
        return new Issued(secret.toString(), keep(accountId, name, appId, secret.toString()));
    }

    /**
     * Keeps a password that was configured, unless the account has it already.
     *
     * @param accountId whose it is
     * @param name what it is called
     * @param secret the password; spaces in it are ignored
     */
    void accept(long accountId, String name, String secret) {
        String hash = hash(secret);
        boolean known = jdbc.sql("select count(*) from application_password where account_id = :account"
                                + " and secret_hash = :hash")
                        .param("account", accountId)
                        .param("hash", hash)
                        .query(Long.class)
                        .single()
                > 0;
        if (!known) {
            keep(accountId, name, "", secret);
        }
    }

    private ApplicationPassword keep(long accountId, String name, String appId, String secret) {
        ApplicationPassword password =
                new ApplicationPassword(UUID.randomUUID().toString(), accountId, appId, name, now(), null, null);
        jdbc.sql("""
                        insert into application_password (uuid, account_id, app_id, name, secret_hash, created_at)
                        values (:uuid, :account, :app, :name, :hash, :created)""")
                .param("uuid", password.uuid())
                .param("account", accountId)
                .param("app", appId)
                .param("name", name)
                .param("hash", hash(secret))
                .param("created", password.createdAt())
                .update();
        return password;
    }

    /**
     * Finds who sends a user name and an application password. Does the same work for a name that nobody has.
     *
     * @param name a login name or a mail address, in any case
     * @param secret the password; spaces in it are ignored
     * @param address where the request comes from, to be shown to the owner; of a longer text the first 45 characters
     * @return the account; empty where name or password is wrong, or such passwords are switched off
     */
    public Optional<Account> authenticate(String name, String secret, String address) {
        if (!enabled) {
            return Optional.empty();
        }
        String hash = hash(secret);
        Optional<Found> found = jdbc.sql("select " + Account.COLUMNS + ", p.uuid, p.secret_hash, p.last_used_at"
                        + " from application_password p join account a on a.id = p.account_id"
                        + " where p.secret_hash = :hash and (a.login_key = :name or a.email_key = :name)"
                        + " order by a.id fetch first 1 rows only")
                .param("hash", hash)
                .param("name", Accounts.key(name))
                .query((row, number) -> new Found(
                        Account.of(row, number),
                        row.getString("uuid"),
                        row.getString("secret_hash"),
                        row.getObject("last_used_at", OffsetDateTime.class)))
                .optional()
                .filter(one -> ServerKey.areEqual(one.hash(), hash));
        found.ifPresent(one -> note(one, address));
        return found.map(Found::account);
    }

    private record Found(
            Account account,
            String uuid,
            String hash,
            @Nullable OffsetDateTime last) {}

    /** Notes a use at most once a day: a request that reads should not write. */
    private void note(Found found, String address) {
        OffsetDateTime now = now();
        if (found.last() != null && found.last().plus(USE_IS_NOTED_EVERY).isAfter(now)) {
            return;
        }
        try {
            jdbc.sql("update application_password set last_used_at = ?, last_address = ? where uuid = ?")
                    .params(now, Letters.beginning(address, LONGEST_ADDRESS), found.uuid())
                    .update();
        } catch (DataAccessException notNow) {
            log.debug("the use of an application password could not be noted; the next use will be", notNow);
        }
    }

    /**
     * Lists the passwords of an account.
     *
     * @param accountId whose
     * @return the oldest first
     */
    public List<ApplicationPassword> of(long accountId) {
        return jdbc.sql("select " + COLUMNS
                        + " from application_password p where p.account_id = :account order by p.id")
                .param("account", accountId)
                .query(ApplicationPassword.class)
                .list();
    }

    /**
     * Finds a password of an account.
     *
     * @param accountId whose
     * @param uuid which
     * @return empty where the account has no such password
     */
    public Optional<ApplicationPassword> find(long accountId, String uuid) {
        return of(accountId).stream()
                .filter(password -> password.uuid().equals(uuid))
                .findFirst();
    }

    /**
     * Takes a password back: from now on it opens nothing.
     *
     * @param accountId whose
     * @param uuid which
     * @return whether there was one
     */
    public boolean revoke(long accountId, String uuid) {
        return jdbc.sql("delete from application_password where account_id = :account and uuid = :uuid")
                        .param("account", accountId)
                        .param("uuid", uuid)
                        .update()
                > 0;
    }

    /**
     * Takes all passwords of an account back.
     *
     * @param accountId whose
     * @return how many there were
     */
    public int revokeAll(long accountId) {
        return jdbc.sql("delete from application_password where account_id = :account")
                .param("account", accountId)
                .update();
    }

    /**
     * Marks a user name and a password that belong together, so that they are known again without being kept.
     *
     * @param place where they are sent, as other passwords may be right elsewhere
     * @param sent both, as they came
     * @return a text that tells nothing about them
     */
    public String mark(String place, BasicCredentials sent) {
        return key.sign("credentials of " + place, Accounts.key(sent.name()) + "\n" + sent.secret());
    }

    private String hash(String secret) {
        return key.sign(PURPOSE, secret.replaceAll("\\s", ""));
    }

    private OffsetDateTime now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC);
    }
}
