package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.settings.InvalidSettingException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.stereotype.Component;
import org.springframework.util.StringUtils;

/**
 * Makes the accounts that are configured, before the server serves. One that exists stays as it is: what its owner
 * changed since then counts, not what was configured once.
 */
@Component
final class AccountProvisioning implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(AccountProvisioning.class);
    private static final String PROPERTY = "content-api.provision.users";

    private final List<CmsSettings.User> users;
    private final Accounts accounts;
    private final ApplicationPasswords passwords;

    AccountProvisioning(CmsSettings settings, Accounts accounts, ApplicationPasswords passwords) {
        users = settings.provision().users();
        this.accounts = accounts;
        this.passwords = passwords;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (int index = 0; index < users.size(); index++) {
            make(PROPERTY + "[" + index + "].", users.get(index));
        }
    }

    /** Without an account the server serves, but nobody can write: most often a setting was forgotten. */
    @EventListener(ApplicationReadyEvent.class)
    void warnIfNobodyCanSignIn() {
        if (accounts.list(List.of(), "a.id", 0, 1).total() == 0) {
            log.warn("there is no account, so nobody can sign in: set " + PROPERTY
                    + "[0].login, .role=administrator and .password, and restart");
        }
    }

    private void warnOfAnotherPassword(String prefix, CmsSettings.User user) {
        String password = user.password();
        if (StringUtils.hasLength(password)
                && accounts.signIn(user.login(), password).isEmpty()) {
            log.warn(
                    "{}password is not the password of the account '{}', and does not change it: the account keeps the one that it was made with."
                            + " Set the column password_hash of the table account to a BCrypt hash, or remove the setting",
                    prefix,
                    user.login());
        }
    }

    private void make(String prefix, CmsSettings.User user) {
        String login = user.login();
        Role role = Role.of(user.role()).orElseThrow();
        if (accounts.findByName(login).isPresent()) {
            warnOfAnotherPassword(prefix, user);
            return;
        }
        String name = StringUtils.hasText(user.displayName()) ? user.displayName() : login;
        String email = StringUtils.hasText(user.email()) ? user.email() : "";
        // Without a password of its own it has one that nobody knows.
        String password =
                StringUtils.hasLength(user.password()) ? user.password() : new Base64StringKeyGenerator().generateKey();
        Optional<Accounts.Rejection> rejection = accounts.create(login, password, role, name, email);
        Optional<Account> account = accounts.findByName(login);
        if (rejection.isPresent() && account.isEmpty()) {
            throw new InvalidSettingException(
                    prefix + rejection.get().property(), rejection.get().rule(), "Correct it, or remove the account.");
        }
        String secret = user.applicationPassword();
        if (rejection.isEmpty() && account.isPresent() && secret != null && !secret.isBlank()) {
            passwords.accept(account.get().id(), "Provisioned", secret);
        }
    }
}
