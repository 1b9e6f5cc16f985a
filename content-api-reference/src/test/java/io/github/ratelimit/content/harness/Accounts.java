package io.github.ratelimit.content.harness;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import tools.jackson.databind.JsonNode;

/** The accounts that a server under test knows, and how a request shows that it comes from a trusted caller. */
public final class Accounts {

    /** The address that the servers of these tests trust; given in a forwarding header, as behind a proxy. */
    public static final String TRUSTED_ADDRESS = "203.0.113.7";

    private static final Accounts STANDARD = new Accounts(
            List.of(
                    account("admin", "administrator", "siteadmin", "Site Admin"),
                    account("editor", "editor", "charlie", "Charlie Chief"),
                    account("author", "author", "wendy", "Wendy Writer"),
                    account("contributor", "contributor", "hana", "Hana Helper"),
                    account("subscriber", "subscriber", "rory", "Rory Reader")),
            Map.of("X-Forwarded-For", TRUSTED_ADDRESS));

    private final Map<String, Account> byName = new LinkedHashMap<>();
    private final Map<String, String> trustedCallerHeaders;

    private Accounts(List<Account> accounts, Map<String, String> trustedCallerHeaders) {
        for (Account account : accounts) {
            byName.put(account.name(), account);
        }
        this.trustedCallerHeaders = Map.copyOf(trustedCallerHeaders);
    }

    /** Returns the accounts of the content set, as the servers of these tests are given them. */
    public static Accounts standard() {
        return STANDARD;
    }

    /**
     * Reads accounts from a file that a person wrote.
     *
     * @param file an object of accounts by name, each with {@code login}, {@code password} and, optionally, {@code email};
     *     the entry {@code trusted-caller} instead has {@code headers}, the fields that make a request come from a
     *     trusted address
     * @throws IllegalArgumentException if an account lacks its login or password
     */
    public static Accounts read(JsonNode file) {
        List<Account> accounts = file.properties().stream()
                .filter(entry -> !entry.getKey().equals("trusted-caller"))
                .map(entry -> account(entry.getKey(), entry.getValue()))
                .toList();
        Map<String, String> headers = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> header :
                file.path("trusted-caller").path("headers").properties()) {
            headers.put(header.getKey(), header.getValue().asString());
        }
        return new Accounts(accounts, headers);
    }

    /**
     * Returns the account of that name.
     *
     * @throws NoSuchElementException if there is none
     */
    public Account get(String name) {
        Account account = byName.get(name);
        if (account == null) {
            throw new NoSuchElementException("no account '" + name + "'; known: " + byName.keySet());
        }
        return account;
    }

    /** Returns all accounts, the mightiest first. */
    public List<Account> all() {
        return List.copyOf(byName.values());
    }

    /** Returns the fields that make a request come from a trusted address; empty where the server trusts none. */
    public Map<String, String> trustedCallerHeaders() {
        return trustedCallerHeaders;
    }

    private static Account account(String name, String role, String login, String displayName) {
        // Fixed, so that a failing request can be repeated by hand; these servers live on a loopback port for seconds.
        String password = (name + "0PasswordOfTheTestServer").substring(0, 24);
        return new Account(name, role, login, login + "@example.test", displayName, password);
    }

    private static Account account(String name, JsonNode entry) {
        String login = entry.path("login").asString("");
        String password = entry.path("password").asString("").replace(" ", "");
        if (login.isEmpty() || password.isEmpty()) {
            throw new IllegalArgumentException("account '" + name + "': login and password are needed");
        }
        return new Account(name, name, login, entry.path("email").asString(""), "", password);
    }
}
