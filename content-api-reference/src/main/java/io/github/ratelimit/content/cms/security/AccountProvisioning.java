package io.github.ratelimit.content.cms.security;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/**
 * Makes the accounts that are configured, before the server serves. One that exists stays as it is: what its owner
 * changed since then counts, not what was configured once.
 */
@Component
final class AccountProvisioning implements SmartInitializingSingleton {
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
        Optional<Account> account = create(prefix, login, role, user);
        String secret = user.applicationPassword();
        if (account.isPresent() && secret != null && !secret.isBlank()) {
            passwords.accept(account.get().id(), "Provisioned", secret);
        }
    }

    /** Makes an account; none where another server of this database, which starts at the same time, was faster. */
    private Optional<Account> create(String prefix, String login, Role role, CmsSettings.User user) {
        AccountChanges wishes = new AccountChanges().set(Account.ROLE, role.wireName());
        if (user.displayName() != null && !user.displayName().isBlank()) {
            wishes.set(Account.DISPLAY_NAME, user.displayName());
        }
        if (user.email() != null && !user.email().isBlank()) {
            wishes.set(Account.EMAIL, user.email());
        }
        String password = user.password() == null || user.password().isEmpty() ? unusable() : user.password();
        try {
            return Optional.of(accounts.create(login, password, wishes));
        } catch (Accounts.RefusedException e) {
            if (accounts.findByName(login).isPresent()) {
                return Optional.empty();
            }
            throw switch (e.refusal()) {
                case INVALID_LOGIN, LOGIN_TAKEN, SLUG_TAKEN ->
                    invalid(
                            prefix + "login",
                            "must be 1 to 60 letters, digits and signs of ' ._@-', was '" + login + "'",
                            "Choose another name to sign in with.");
                case INVALID_EMAIL ->
                    invalid(
                            prefix + "email",
                            "must be a mail address, was '" + user.email() + "'",
                            "Correct it, or leave it out.");
                case EMAIL_TAKEN ->
                    invalid(prefix + "email", "belongs to another account", "Give each account an address of its own.");
                case INVALID_PASSWORD ->
                    invalid(prefix + "password", "must have 1 to 72 bytes", "Choose a shorter password.");
            };
        }
    }

    /** Nobody knows this password, so nobody signs in with it. */
    private static String unusable() {
        byte[] random = new byte[24];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    private static String required(String property, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw invalid(property, "is needed and missing", "Set it, or remove the account.");
        }
        return value;
    }

    private static Role role(String property, String name) {
        Optional<Role> role = Role.of(name);
        if (role.isEmpty()) {
            String known = Arrays.stream(Role.values()).map(Role::wireName).collect(Collectors.joining(", "));
            throw invalid(property, "must be one of " + known + ", was '" + name + "'", "Choose one of them.");
        }
        return role.get();
    }

    private static InvalidSettingException invalid(String property, String rule, String remedy) {
        return new InvalidSettingException(property, rule, remedy);
    }
}
