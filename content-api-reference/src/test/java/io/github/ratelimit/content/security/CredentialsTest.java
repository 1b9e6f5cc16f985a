package io.github.ratelimit.content.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule: BEHAVIOUR section 11. Whether a caller is known shows in the headers of the index. */
class CredentialsTest {
    private static ReferenceServer server;

    @BeforeAll
    static void start() {
        server = ReferenceServer.start(Database.H2);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "spaced", "upper", "lower", "email"})
    void everySpellingOfAnAccountIsKnown(String spelling) {
        Account admin = Accounts.standard().get("admin");

        assertThat(isKnown("10.1.0.1", admin.basic(spelling))).isTrue();
    }

    @Test
    void whatIsNoCredentialIsAnonymous() {
        Account admin = Accounts.standard().get("admin");

        assertThat(isKnown("10.1.0.2", Account.basic(admin.login(), "wrong"))).isFalse();
        assertThat(isKnown("10.1.0.2", Account.basic("nobody", admin.password())))
                .isFalse();
        assertThat(isKnown("10.1.0.2", Account.basic(admin.login(), "sign-in-of-" + admin.login())))
                .isFalse();
        assertThat(isKnown("10.1.0.2", Account.basic("charlie", admin.password())))
                .isFalse();
        assertThat(isKnown("10.1.0.2", "Basic YWRtaW4=")).isFalse();
        assertThat(isKnown("10.1.0.2", "Basic ///")).isFalse();
        assertThat(isKnown("10.1.0.2", "Basic /////w==")).isFalse();
        assertThat(isKnown("10.1.0.2", "Bearer abc")).isFalse();
        assertThat(isKnown("10.1.0.2", admin.basic().replace("Basic", "basic"))).isTrue();
    }

    @Test
    void guessingIsLimitedByAddressAndDoesNotLockOutTheOwner() {
        Account admin = Accounts.standard().get("admin");
        int refused = 0;
        for (int guess = 0; guess < 100; guess++) {
            Answer answer = index("10.1.0.3", Account.basic(admin.login(), "guess" + guess));
            refused += answer.status() == 429 ? 1 : 0;
        }

        Answer rightButTooLate = index("10.1.0.3", admin.basic());

        assertThat(refused).isBetween(69, 70);
        assertThat(rightButTooLate.status()).isEqualTo(429);
        assertThat(rightButTooLate.header("Retry-After").orElse("")).matches("[1-9][0-9]?");
        assertThat(rightButTooLate.json().path("data").path("status").asInt()).isEqualTo(429);
        assertThat(isKnown("10.1.0.4", admin.basic())).isTrue();
        assertThat(new SiteClient(server.base())
                        .call("GET", "/")
                        .header("X-Forwarded-For", "10.1.0.3")
                        .send()
                        .status())
                .isEqualTo(200);
    }

    @Test
    void rightCredentialsCostNothing() {
        Account author = Accounts.standard().get("author");
        for (int request = 0; request < 40; request++) {
            assertThat(isKnown("10.1.0.5", author.basic())).isTrue();
        }
    }

    @Test
    void serverKeyIsForItsOwnerAlone() throws IOException {
        Path key = server.dataDirectory().resolve("server.key");

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    private static boolean isKnown(String from, String authorization) {
        Answer answer = index(from, authorization);
        assertThat(answer.status()).isEqualTo(200);
        return answer.header("Cache-Control").orElse("").contains("private");
    }

    private static Answer index(String from, String authorization) {
        return new SiteClient(server.base())
                .call("GET", "/")
                .header("X-Forwarded-For", from)
                .header("Authorization", authorization)
                .send();
    }
}
