package io.github.ratelimit.content.cms.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.ratelimit.content.cms.text.FreeSlugs;
import io.github.ratelimit.content.cms.text.Slugs;
import io.github.ratelimit.content.server.settings.ServerKey;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/** The accounts of the site. Safe for concurrent use. */
@Service
public class Accounts {
    /** Chosen: letters and signs that need no encoding in an address, a file name or a header. */
    private static final Pattern LOGIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9 ._@-]{0,59}");

    private static final Pattern EMAIL = Pattern.compile("[^\\s@<>\"]{1,64}@[^\\s@<>\"]{1,189}");

    private final InstantSource clock;
    private final AccountStore store;
    private final PasswordHash passwords;
    private final ServerKey key;

    /** Marks of passwords that were right. Chosen: as long as those of applications, for more people than operate a site. */
    private final Cache<String, Boolean> right = Caffeine.newBuilder()
            .maximumSize(1_000)
            .expireAfterWrite(Duration.ofMinutes(5))
            .build();

    Accounts(InstantSource clock, AccountStore store, PasswordHash passwords, ServerKey key) {
        this.clock = clock;
        this.store = store;
        this.passwords = passwords;
        this.key = key;
    }

    /** Reasons why an account cannot be made. */
    public enum Refusal {
        /** The login name is empty, too long or has a sign that it may not have. */
        INVALID_LOGIN("login", "must be 1 to 60 letters, digits and signs of ' ._@-'"),
        /** Another account has the login name, as its own or as its email address. */
        LOGIN_TAKEN("login", "belongs to another account"),
        /** The text is no email address. */
        INVALID_EMAIL("email", "must be an email address"),
        /** Another account has the email address, as its own or as its login name. */
        EMAIL_TAKEN("email", "belongs to another account"),
        /** The password is empty, or longer than can be hashed. */
        INVALID_PASSWORD("password", "must have 1 to 72 bytes");

        private final String property;
        private final String rule;

        Refusal(String property, String rule) {
            this.property = property;
            this.rule = rule;
        }

        String property() {
            return property;
        }

        String rule() {
            return rule;
        }
    }

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
        return store.find(id);
    }

    /** Finds an account by its login name or email address, in any letter case. */
    public Optional<Account> findByName(String name) {
        return store.signing(name).map(AccountStore.Signed::account);
    }

    /** Finds several accounts with one statement; those that do not exist are missing. */
    public Map<Long, Profile> findAll(Collection<Long> ids) {
        Map<Long, Profile> found = new LinkedHashMap<>();
        store.findAll(new HashSet<>(ids))
                .forEach(seen -> found.put(seen.account().id(), seen));
        return found;
    }

    /** Lists one page of accounts. */
    public List<Account> list(AccountQuery query) {
        return store.list(query);
    }

    /** Counts accounts on all pages. */
    public long count(AccountQuery query) {
        return store.count(query);
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
    public Optional<Refusal> create(String login, String password, Role role, String name, String email) {
        if (!LOGIN.matcher(login).matches()) {
            return Optional.of(Refusal.INVALID_LOGIN);
        }
        if (!email.isEmpty() && !EMAIL.matcher(email).matches()) {
            return Optional.of(Refusal.INVALID_EMAIL);
        }
        if (!PasswordHash.fits(password)) {
            return Optional.of(Refusal.INVALID_PASSWORD);
        }
        Optional<Refusal> taken = taken(login, email);
        if (taken.isPresent()) {
            return taken;
        }
        String wanted = Slugs.of(login);
        String slug = FreeSlugs.find(wanted.isEmpty() ? "user" : wanted, false, store::takenSlugs);
        @Nullable String stored = email.isEmpty() ? null : email;
        String hash = passwords.of(password);
        try {
            store.insert(login, stored, slug, role, name, hash, clock.instant().truncatedTo(ChronoUnit.SECONDS));
            return Optional.empty();
        } catch (DuplicateKeyException anotherServerWasFaster) {
            return Optional.of(taken(login, email).orElse(Refusal.LOGIN_TAKEN));
        }
    }

    /** Login names and email addresses open the same door, so none may be that of another account. */
    private Optional<Refusal> taken(String login, String email) {
        if (store.signing(login).isPresent()) {
            return Optional.of(Refusal.LOGIN_TAKEN);
        }
        return !email.isEmpty() && store.signing(email).isPresent()
                ? Optional.of(Refusal.EMAIL_TAKEN)
                : Optional.empty();
    }

    /**
     * Marks the password that an account has now, so that a session can end with it.
     *
     * @return another text for each password; empty if there is no such account
     */
    public Optional<String> passwordMark(long id) {
        // The end of a hash tells two passwords apart and is of no use to check a guess.
        return store.passwordHash(id).map(hash -> hash.substring(Math.max(0, hash.length() - 10)));
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
        Optional<AccountStore.Signed> found = store.signing(name);
        boolean isRight =
                found.isPresent() ? isRight(password, found.get().passwordHash()) : passwords.matchesNothing(password);
        return isRight ? found.map(AccountStore.Signed::account) : Optional.empty();
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
}
