package io.github.ratelimit.content.harness;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;

/**
 * An account of the content set as a client knows it.
 *
 * @param name what recordings call it, for example {@code admin}
 * @param role the role it has on the server
 * @param login the user name it signs in with
 * @param email its address
 * @param displayName the name that readers see
 * @param password its application password, without spaces
 */
public record Account(String name, String role, String login, String email, String displayName, String password) {

    /** Returns the password that a person signs in with, on a server of these tests. */
    public String signInPassword() {
        return "sign-in-of-" + login;
    }

    /** Returns the value of an {@code Authorization} field for this account. */
    public String basic() {
        return basic(login, password);
    }

    /**
     * Returns the value of an {@code Authorization} field in one of the other spellings that are accepted.
     *
     * @param spelling {@code spaced}: the password in groups of four; {@code upper}: the user name in capitals;
     *     {@code lower}: in small letters; {@code email}: the address in place of the user name; {@code plain}: none of these
     * @throws IllegalArgumentException if the spelling is another one
     */
    public String basic(String spelling) {
        return switch (spelling) {
            case "plain" -> basic();
            case "spaced" -> basic(login, password.replaceAll("(.{4})(?=.)", "$1 "));
            case "upper" -> basic(login.toUpperCase(Locale.ROOT), password);
            case "lower" -> basic(login.toLowerCase(Locale.ROOT), password);
            case "email", "address" -> basic(email, password);
            default -> throw new IllegalArgumentException("unknown spelling of credentials: " + spelling);
        };
    }

    /** Returns the value of an {@code Authorization} field for any user name and password. */
    public static String basic(String login, String password) {
        byte[] pair = (login + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }
}
