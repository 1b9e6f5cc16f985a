package io.github.ratelimit.content.cms.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.content.cms.text.Letters;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.settings.ServerKey;
import io.github.ratelimit.content.server.store.ContentGeneration;
import io.github.ratelimit.content.server.store.PageQuery;
import io.github.ratelimit.content.server.store.SqlCondition;
import io.github.ratelimit.content.server.store.Writes;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** The accounts of the site. Safe for concurrent use. */
@Service
public class Accounts {
    /** Chosen: letters and signs that need no encoding in an address, a file name or a header. */
    private static final Pattern LOGIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 ._@-]{0,59}");

    private static final Pattern EMAIL = Pattern.compile("[^\\s@<>\"]{1,64}@[^\\s@<>\"]{1,189}");

    /** Selects the authors of published posts and pages. One look into an index for each: for "exists" PostgreSQL reads all items. */
    public static final String IS_PUBLIC_AUTHOR =
            "coalesce(" + firstPublished("post") + ", " + firstPublished("page") + ") is not null";

    private static String firstPublished(String type) {
        return "(select i.id from item i where i.kind = '" + type
                + "' and i.status = 'publish' and i.author_id = a.id fetch first 1 rows only)";
    }

    private static final String TAKEN = "belongs to another account";

    private final InstantSource clock;
    private final JdbcClient jdbc;
    private final Writes writes;
    private final ContentGeneration generation;
    private final PasswordHash passwords;
    private final ServerKey key;

    /** Marks of passwords that were right. Chosen: as long as those of applications, for more people than operate a site. */
    private final Cache<String, Boolean> right = Caffeine.newBuilder()
            .maximumSize(1_000)
            .expireAfterWrite(Duration.ofMinutes(5))
            .build();

    Accounts(
            InstantSource clock,
            JdbcClient jdbc,
            Writes writes,
            ContentGeneration generation,
            PasswordHash passwords,
            ServerKey key) {
        this.clock = clock;
        this.jdbc = jdbc;
        this.writes = writes;
        this.generation = generation;
        this.passwords = passwords;
        this.key = key;
    }

    /**
     * The reason why an account cannot be made.
     *
     * @param property of the account
     * @param rule that it breaks
     */
    public record Rejection(String property, String rule) {}

    /** Too many passwords are being hashed; the caller should retry a second later. */
    public static final class BusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BusyException() {
            super("too many passwords to hash at a time", null, false, false);
        }
    }

    /**
     * An account as readers know it.
     *
     * @param account the account
     * @param isPublic whether it is the author of something published
     */
    public record Profile(Account account, boolean isPublic) {}

    /** Finds an account by its number. */
    public Optional<Account> find(long id) {
        return jdbc.sql("select " + Account.COLUMNS + " from account a where a.id = ?")
                .param(id)
                .query(Account::of)
                .optional();
    }

    /** Finds an account by its login name or email address, in any letter case. */
    public Optional<Account> findByName(String name) {
        return signing(name).map(Signed::account);
    }

    /** Finds several accounts with one statement; those that do not exist are missing. */
    public Map<Long, Profile> findAll(Collection<Long> ids) {
        Map<Long, Profile> found = new LinkedHashMap<>();
        jdbc.sql("select " + Account.COLUMNS + ", case when " + IS_PUBLIC_AUTHOR
                        + " then true else false end as is_public from account a where a.id = any (?)")
                .param(ids.stream().distinct().toArray(Long[]::new))
                .query((row, number) -> new Profile(Account.of(row, number), row.getBoolean("is_public")))
                .list()
                .forEach(seen -> found.put(seen.account().id(), seen));
        return found;
    }

    /**
     * Lists one page of accounts.
     *
     * @param conditions all of which hold for an account {@code a}
     * @param order constant text behind {@code order by}
     * @param offset how many accounts come before the page, 0 or more
     * @param limit how many the page has at most, 1 or more
     */
    public PageQuery.Page<Account> list(List<SqlCondition> conditions, String order, long offset, long limit) {
        return new PageQuery(new SqlCondition("account a"), conditions, order, offset, limit)
                .read(jdbc, Account.COLUMNS, Account::of);
    }

    /**
     * Makes an account.
     *
     * @param login the name to sign in with
     * @param password to sign in with
     * @param role what the account is allowed to be
     * @param name the name that readers see
     * @param email empty for none
     * @return the reason why it was not made; empty if it was
     * @throws BusyException if too many passwords are hashed at a time
     */
    public Optional<Rejection> create(String login, String password, Role role, String name, String email) {
        if (!LOGIN.matcher(login).matches()) {
            return Optional.of(new Rejection("login", "must be 1 to 60 letters, digits and signs of ' ._@-'"));
        }
        if (!email.isEmpty() && !EMAIL.matcher(email).matches()) {
            return Optional.of(new Rejection("email", "must be an email address"));
        }
        if (!PasswordHash.fits(password)) {
            return Optional.of(new Rejection("password", "must have 1 to 72 bytes"));
        }
        Optional<Rejection> taken = taken(login, email);
        if (taken.isPresent()) {
            return taken;
        }
        String wanted = Slugs.of(login);
        String slug = Slugs.free(wanted.isEmpty() ? "user" : wanted, false, this::takenSlugs);
        String hash = passwords.of(password);
        try {
            insert(login, email, slug, role, name, hash);
            return Optional.empty();
        } catch (DuplicateKeyException anotherServerWasFaster) {
            return Optional.of(taken(login, email).orElse(new Rejection("login", TAKEN)));
        }
    }

    /** Login names and email addresses open the same door, so none may be that of another account. */
    private Optional<Rejection> taken(String login, String email) {
        if (signing(login).isPresent()) {
            return Optional.of(new Rejection("login", TAKEN));
        }
        return !email.isEmpty() && signing(email).isPresent()
                ? Optional.of(new Rejection("email", TAKEN))
                : Optional.empty();
    }

    /**
     * Marks the password that an account has now, so that a session can end with it.
     *
     * @return another text for each password; empty if there is no such account
     */
    public Optional<String> passwordMark(long id) {
        // The end of a hash tells two passwords apart and is of no use to check a guess.
        return jdbc.sql("select password_hash from account where id = ?")
                .param(id)
                .query(String.class)
                .optional()
                .map(hash -> hash.substring(Math.max(0, hash.length() - 10)));
    }

    /**
     * Checks a login password. Takes as long for a name that no account has. A password that was right is not hashed again for five minutes.
     *
     * @param name a login name or an email address, in any letter case
     * @param password the password to check
     * @return the account; empty if name or password is wrong
     * @throws BusyException if too many sign in at a time
     */
    public Optional<Account> signIn(String name, String password) {
        Optional<Signed> found = signing(name);
        boolean isRight =
                found.isPresent() ? isRight(password, found.get().passwordHash()) : passwords.matchesNothing(password);
        return isRight ? found.map(Signed::account) : Optional.empty();
    }

    private boolean isRight(String password, String hash) {
        // A changed password has another hash, and so another mark.
        String mark = key.sign("sign-in password", hash + "\n" + password);
        if (right.getIfPresent(mark) == null) {
            if (!passwords.matches(password, hash)) {
                return false;
            }
            right.put(mark, true);
        }
        return true;
    }

    /** An account with the hash of its password. */
    private record Signed(Account account, String passwordHash) {}

    /** Finds by login name, else by email address, in any letter case. */
    private Optional<Signed> signing(String name) {
        return signing("login_key", name).or(() -> signing("email_key", name));
    }

    private Optional<Signed> signing(String column, String name) {
        return jdbc.sql("select " + Account.COLUMNS + ", a.password_hash from account a where a." + column + " = ?")
                .param(key(name))
                .query((row, number) -> new Signed(Account.of(row, number), row.getString("password_hash")))
                .optional();
    }

    private Set<String> takenSlugs(Set<String> slugs) {
        return jdbc.sql("select slug from account where slug in (:slugs)")
                .param("slugs", slugs)
                .query(String.class)
                .set();
    }

    /** A login, email address or slug of another account fails as a duplicate key. */
    private void insert(String login, String email, String slug, Role role, String name, String passwordHash) {
        JdbcClient.StatementSpec insert = jdbc.sql(
                        "insert into account (login, login_key, email, email_key, slug, role, display_name, name_order,"
                                + " password_hash, registered_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                .params(Arrays.asList(
                        login,
                        key(login),
                        email.isEmpty() ? null : email,
                        email.isEmpty() ? null : key(email),
                        slug,
                        role.wireName(),
                        name,
                        Letters.sorted(name),
                        passwordHash,
                        clock.instant().truncatedTo(ChronoUnit.SECONDS).atOffset(ZoneOffset.UTC)));
        writes.run(() -> {
            generation.raise();
            return insert.update();
        });
    }

    static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
