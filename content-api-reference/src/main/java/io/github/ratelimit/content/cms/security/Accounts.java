package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.text.FreeSlugs;
import io.github.ratelimit.content.cms.text.Slugs;
import java.time.Instant;
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

    Accounts(InstantSource clock, AccountStore store, PasswordHash passwords) {
        this.clock = clock;
        this.store = store;
        this.passwords = passwords;
    }

    /** Why an account cannot be made or changed. */
    public enum Refusal {
        /** The login name has signs that it may not have, or none. */
        INVALID_LOGIN,
        /** Somebody else has the login name. */
        LOGIN_TAKEN,
        /** The text is no mail address. */
        INVALID_EMAIL,
        /** Somebody else has the mail address. */
        EMAIL_TAKEN,
        /** The password is empty, or longer than can be hashed. */
        INVALID_PASSWORD,
        /** Somebody else has the slug. */
        SLUG_TAKEN
    }

    /** Too many passwords are being hashed: whoever asked is to come back a second later. */
    public static final class BusyException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        BusyException() {
            super("too many passwords to hash at a time", null, false, false);
        }
    }

    /** Says why an account was neither made nor changed. */
    public static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final Refusal refusal;

        RefusedException(Refusal refusal) {
            super(refusal.name(), null, false, false);
            this.refusal = refusal;
        }

        /**
         * Tells the reason.
         *
         * @return the reason
         */
        public Refusal refusal() {
            return refusal;
        }
    }

    /**
     * Tells whether a text can be a name to sign in with.
     *
     * @param text any text
     * @return whether it has 1 to 60 letters, digits and signs
     */
    public static boolean isLogin(String text) {
        return LOGIN.matcher(text).matches();
    }

    /**
     * Tells whether a text is a mail address.
     *
     * @param text any text
     * @return whether something can be sent there
     */
    public static boolean isEmail(String text) {
        return EMAIL.matcher(text).matches();
    }

    /**
     * Tells whether a text can be a password to sign in with.
     *
     * @param text any text
     * @return whether it has 1 to 72 bytes
     */
    public static boolean isPassword(String text) {
        return PasswordHash.fits(text);
    }

    /**
     * Finds an account.
     *
     * @param id any number
     * @return empty where there is no such account
     */
    public Optional<Account> find(long id) {
        return store.find(id);
    }

    /**
     * Finds an account by the name that its owner signs in with.
     *
     * @param name a login name or a mail address, in any case
     * @return empty where there is no such account
     */
    public Optional<Account> findByName(String name) {
        return store.signing(name).map(AccountStore.Signed::account);
    }

    /**
     * Finds several accounts in one look.
     *
     * @param ids any numbers
     * @return those that exist, by id
     */
    public Map<Long, Account> findAll(Collection<Long> ids) {
        Map<Long, Account> found = new LinkedHashMap<>();
        store.findAll(new HashSet<>(ids)).forEach(account -> found.put(account.id(), account));
        return found;
    }

    /**
     * An account as readers know it.
     *
     * @param account the account
     * @param isPublic whether they know it at all
     */
    public record Seen(Account account, boolean isPublic) {}

    /**
     * Finds several accounts in one look, and whether readers know them.
     *
     * @param ids any numbers
     * @param isPublic whom readers know: constant SQL on the column {@code a.id}
     * @return those that exist, by id
     */
    public Map<Long, Seen> findAll(Collection<Long> ids, String isPublic) {
        Map<Long, Seen> found = new LinkedHashMap<>();
        store.findAll(new HashSet<>(ids), isPublic)
                .forEach(seen -> found.put(seen.account().id(), seen));
        return found;
    }

    /**
     * Lists accounts.
     *
     * @param query which ones
     * @return one page of them
     */
    public List<Account> list(AccountQuery query) {
        return store.list(query);
    }

    /**
     * Counts accounts.
     *
     * @param query which ones, whatever page
     * @return 0 or more
     */
    public long count(AccountQuery query) {
        return store.count(query);
    }

    /**
     * Makes an account.
     *
     * @param login the name to sign in with
     * @param password to sign in with
     * @param wishes what else it is to be: a subscriber that is called like the login, in addresses too, and has no mail address, where it does
     *     not say so
     * @return the account
     * @throws RefusedException if a part does not fit, or is taken
     * @throws BusyException if too many passwords are hashed at a time
     */
    public Account create(String login, String password, AccountChanges wishes) {
        check(isLogin(login), Refusal.INVALID_LOGIN);
        checkLogin(login);
        String email = wishes.get(Account.EMAIL).orElse(null);
        checkEmail(email, null);
        check(isPassword(password), Refusal.INVALID_PASSWORD);
        String hash = passwords.of(password);
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        AccountChanges made = AccountChanges.ofNew(login).set(wishes);
        String wanted = Slugs.of(wishes.get(Account.SLUG).orElse(login));
        String base = wanted.isEmpty() ? "user" : wanted;
        while (true) {
            made.set(Account.SLUG, FreeSlugs.find(base, false, store::takenSlugs));
            try {
                return store.insert(login, hash, now, made);
            } catch (DuplicateKeyException e) {
                // Somebody was faster; only a slug can be had another way.
                checkLogin(login);
                check(email == null || !store.hasEmail(email), Refusal.EMAIL_TAKEN);
            }
        }
    }

    /**
     * Finds an account to be changed: whoever else wants to change it waits until the transaction ends.
     *
     * @param id any number
     * @return empty where there is no such account
     */
    public Optional<Account> findForChange(long id) {
        return store.findForChange(id);
    }

    /**
     * Changes an account.
     *
     * @param known found for change, in this transaction
     * @param changes what is to be different
     * @return as it is stored now
     * @throws RefusedException if a part does not fit, or is taken
     */
    public Account update(Account known, AccountChanges changes) {
        String slug = changes.get(Account.SLUG).orElse(known.slug());
        boolean hasNewSlug = !slug.equals(known.slug());
        checkEmail(changes.get(Account.EMAIL).orElse(null), known);
        check(!hasNewSlug || !store.hasSlug(slug), Refusal.SLUG_TAKEN);
        try {
            store.update(known.id(), changes);
        } catch (DuplicateKeyException e) {
            // Not asked again which of the two: within a transaction no database answers after a refusal.
            boolean isSlug = hasNewSlug && changes.get(Account.EMAIL).isEmpty();
            throw new RefusedException(isSlug ? Refusal.SLUG_TAKEN : Refusal.EMAIL_TAKEN);
        }
        return store.find(known.id()).orElseThrow();
    }

    /** A password that can be kept: its hash was computed. */
    public static final class NewPassword {
        private final String hash;

        private NewPassword(String hash) {
            this.hash = hash;
        }
    }

    /**
     * Prepares a password to sign in with. That takes long, so it is done before a transaction.
     *
     * @param password as somebody typed it
     * @return the password as it is kept
     * @throws RefusedException if it is empty or too long
     * @throws BusyException if too many are prepared at a time
     */
    public NewPassword newPassword(String password) {
        check(isPassword(password), Refusal.INVALID_PASSWORD);
        return new NewPassword(passwords.of(password));
    }

    /**
     * Sets the password to sign in with.
     *
     * @param id of an account
     * @param password the new one
     */
    public void changePassword(long id, NewPassword password) {
        store.setPasswordHash(id, password.hash);
    }

    /**
     * Marks the password that an account has now: what was allowed for the password before it ends with it.
     *
     * @param id of an account
     * @return another text for each password; empty where there is no such account
     */
    public Optional<String> passwordMark(long id) {
        // The end of a hash: it tells two passwords apart and is of no use to check a guess.
        return store.passwordHash(id).map(hash -> hash.substring(Math.max(0, hash.length() - 10)));
    }

    /**
     * Keeps an account from being deleted until the transaction ends.
     *
     * @param id any number
     * @return whether there is such an account
     */
    public boolean hold(long id) {
        return store.hold(id);
    }

    /**
     * Deletes an account and its application passwords; what it wrote is the business of others.
     *
     * @param id of an account
     * @return whether there was one
     */
    public boolean delete(long id) {
        return store.delete(id);
    }

    /**
     * Checks a login password. Takes as long for a name that nobody has.
     *
     * @param name a login name or a mail address, in any case
     * @param password what was typed
     * @return the account; empty where name or password is wrong
     * @throws BusyException if too many sign in at a time
     */
    public Optional<Account> signIn(String name, String password) {
        Optional<AccountStore.Signed> found = store.signing(name);
        boolean right = found.isPresent()
                ? passwords.matches(password, found.get().passwordHash())
                : passwords.matchesNothing(password);
        return right ? found.map(AccountStore.Signed::account) : Optional.empty();
    }

    private void checkEmail(@Nullable String email, @Nullable Account owner) {
        if (email == null
                || (owner != null
                        && !email.isEmpty()
                        && isSame(email, owner.row().get(Account.EMAIL)))) {
            return;
        }
        check(isEmail(email), Refusal.INVALID_EMAIL);
        boolean isOwnLogin = owner != null && isSame(email, owner.login());
        check(!store.hasEmail(email) && (isOwnLogin || !store.hasLogin(email)), Refusal.EMAIL_TAKEN);
    }

    private static boolean isSame(String one, @Nullable String other) {
        return other != null && AccountStore.key(one).equals(AccountStore.key(other));
    }

    /** Both open the same door: who had somebody's address for a login would stand before them there. */
    private void checkLogin(String login) {
        check(!store.hasLogin(login) && !store.hasEmail(login), Refusal.LOGIN_TAKEN);
    }

    private static void check(boolean fits, Refusal refusal) {
        if (!fits) {
            throw new RefusedException(refusal);
        }
    }
}
