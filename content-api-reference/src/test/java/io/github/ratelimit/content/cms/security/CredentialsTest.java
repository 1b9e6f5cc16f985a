package io.github.ratelimit.content.cms.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.AtOnce;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SignInVisit;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;

/** Rule: BEHAVIOUR section 11. Whether a caller is known shows in the headers of the index. */
class CredentialsTest {
    private static final int PERMITS = 30;
    private static final String PAGE = "/authorize-application?app_name=Tool";

    @AutoClose
    private static ReferenceServer server;

    @BeforeAll
    static void start() {
        server = ReferenceServer.start(Database.H2);
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
        assertThat(isKnown("10.1.0.2", Account.basic(admin.login(), admin.signInPassword())))
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
        int rejected = 0;
        for (int guess = 0; guess < 100; guess++) {
            Answer answer = index("10.1.0.3", Account.basic(admin.login(), "guess" + guess));
            rejected += answer.status() == 429 ? 1 : 0;
        }

        Answer rightButTooLate = index("10.1.0.3", admin.basic());

        assertThat(rejected).isBetween(69, 70);
        assertThat(rightButTooLate.status()).isEqualTo(429);
        assertThat(rightButTooLate.header("Retry-After").orElse("")).matches("[1-9][0-9]?");
        assertThat(rightButTooLate.number("/data/status")).isEqualTo(429);
        assertThat(isKnown("10.1.0.4", admin.basic())).isTrue();
        assertThat(new SiteClient(server.base())
                        .with("X-Forwarded-For", "10.1.0.3")
                        .get("/")
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
    void manyGuessesAtOnceAreNoMoreThanOneAfterTheOther() {
        Account admin = Accounts.standard().get("admin");

        List<Integer> statuses = atOnce(
                120, i -> index("10.1.0.6", Account.basic(admin.login(), i == 100 ? admin.password() : "guess" + i)));

        assertThat(Collections.frequency(statuses, 200)).isLessThanOrEqualTo(PERMITS + 1);
        assertThat(index("10.1.0.6", admin.basic()).status()).isEqualTo(429);
    }

    @Test
    void applicationThatSendsManyRequestsAtOnceIsNotRejected() {
        Account editor = Accounts.standard().get("editor");

        assertThat(atOnce(120, i -> index("10.1.0.7", editor.basic()))).containsOnly(200);
    }

    @Test
    void passwordThatWasTakenBackIsWrongAtOnce() {
        Account admin = Accounts.standard().get("admin");
        Answer issued = site().as(admin).post("/cms/v2/users/me/application-passwords", "{\"name\": \"Tool\"}");
        String basic = Account.basic(admin.login(), issued.text("/password"));
        assertThat(isKnown("10.1.0.8", basic)).isTrue();
        assertThat(isKnown("10.1.0.8", basic)).isTrue();

        site().as(admin).delete("/cms/v2/users/me/application-passwords/" + issued.text("/uuid"));

        assertThat(isKnown("10.1.0.8", basic)).isFalse();
    }

    @Test
    void manySignInsAtOnceAreNoMoreThanOneAfterTheOther() {
        Account admin = Accounts.standard().get("admin");
        SignInVisit visit = SignInVisit.open(site(), PAGE);
        SiteClient from = site().with("X-Forwarded-For", "10.1.0.9");

        List<Integer> statuses = atOnce(
                120,
                i -> new SignInVisit(from, PAGE, visit.cookie(), visit.token())
                        .signIn(admin.login(), i == 100 ? admin.signInPassword() : "wrong" + i));

        assertThat(statuses).containsAnyOf(429, 503).doesNotContain(500);
        assertThat(Collections.frequency(statuses, 403)
                        + Collections.frequency(statuses, 302)
                        + Collections.frequency(statuses, 303))
                .isLessThanOrEqualTo(PERMITS + 1);
    }

    @Test
    void signInPasswordThatWasRightIsComparedOnceUntilItChanges() {
        AtomicInteger compared = new AtomicInteger();
        PasswordHash counting = new PasswordHash(new CmsSettings.PasswordHashes(1, 1), new BCryptPasswordEncoder(4) {
            @Override
            protected boolean matchesNonNull(String password, String hash) {
                compared.incrementAndGet();
                return super.matchesNonNull(password, hash);
            }
        });
        BeanPostProcessor counted = new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof PasswordHash ? counting : bean;
            }
        };
        Account admin = Accounts.standard().get("admin");
        try (ReferenceServer own = ReferenceServer.start(
                Database.H2, starting -> starting.getBeanFactory().addBeanPostProcessor(counted))) {
            for (int request = 0; request < 5; request++) {
                assertThat(operates(own, admin.signInPassword())).isEqualTo(200);
            }
            assertThat(compared).hasValue(1);
            assertThat(operates(own, "wrong")).isEqualTo(401);
            assertThat(operates(own, "wrong")).isEqualTo(401);
            assertThat(compared).hasValue(3);

            own.context()
                    .getBean(JdbcClient.class)
                    .sql("update account set password_hash = ?")
                    .param(counting.of("another"))
                    .update();

            assertThat(operates(own, admin.signInPassword())).isEqualTo(401);
            assertThat(operates(own, "another")).isEqualTo(200);
        }
    }

    private static int operates(ReferenceServer own, String password) {
        return new SiteClient(own.base())
                .with(
                        "Authorization",
                        Account.basic(Accounts.standard().get("admin").login(), password))
                .open(own.base() + "/actuator/ratelimits")
                .status();
    }

    private static SiteClient site() {
        return new SiteClient(server.base());
    }

    private static List<Integer> atOnce(int requests, AtOnce.Numbered<Answer> request) {
        return AtOnce.run(requests, request).stream().map(Answer::status).toList();
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
                .with("X-Forwarded-For", from)
                .with("Authorization", authorization)
                .get("/");
    }
}
