package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.settings.InvalidSettingException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

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
        provision(users);
    }

    /** Without an account the server serves, but nobody can write: most often a setting was forgotten. */
    @EventListener(ApplicationReadyEvent.class)
    void warnIfNobodyCanSignIn() {
        if (accounts.list(List.of(), "a.id", 0, 1).total() == 0) {
            log.warn("there is no account, so nobody can sign in: set " + PROPERTY
                    + "[0].login, .role=administrator and .password, and restart");
        }
    }

    void provision(List<CmsSettings.User> users) {
        for (int index = 0; index < users.size(); index++) {
            make(PROPERTY + "[" + index + "].", users.get(index));
        }
    }

    private void make(String prefix, CmsSettings.User user) {
        String login = required(prefix + "login", user.login());
        Role role = role(prefix + "role", required(prefix + "role", user.role()));
        if (accounts.findByName(login).isPresent()) {
            return;
        }
        String name = user.displayName() == null || user.displayName().isBlank() ? login : user.displayName();
        String email = user.email() == null || user.email().isBlank() ? "" : user.email();
        String password = user.password() == null || user.password().isEmpty() ? unusable() : user.password();
        Optional<Accounts.Refusal> refusal = accounts.create(login, password, role, name, email);
        Optional<Account> account = accounts.findByName(login);
        if (refusal.isPresent() && account.isEmpty()) {
            throw new InvalidSettingException(
                    prefix + refusal.get().property(), refusal.get().rule(), "Correct it, or remove the account.");
        }
        String secret = user.applicationPassword();
        if (refusal.isEmpty() && account.isPresent() && secret != null && !secret.isBlank()) {
            passwords.accept(account.get().id(), "Provisioned", secret);
        }
    }

    /** A random password, with which nobody signs in. */
    private static String unusable() {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static String required(String property, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new InvalidSettingException(property, "is needed and missing", "Set it, or remove the account.");
        }
        return value;
    }

    private static Role role(String property, String name) {
        Optional<Role> role = Role.of(name);
        if (role.isEmpty()) {
            String known = Arrays.stream(Role.values()).map(Role::wireName).collect(Collectors.joining(", "));
            throw new InvalidSettingException(
                    property, "must be one of " + known + ", was '" + name + "'", "Choose one of them.");
        }
        return role.get();
    }
}
