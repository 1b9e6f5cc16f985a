package io.github.ratelimit.content.cms.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.harness.Statements;
import io.github.ratelimit.content.replay.SeededServer;
import io.github.ratelimit.content.shared.settings.ServerKey;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/** When an application password was used last is told at once, and stored when nobody waits for it. */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
final class ApplicationPasswordUseTest {
    private static final String OF_AUTHOR = " where account_id = (select id from account where login = ?)";

    private final Account author = Accounts.standard().get("author");
    private final Account editor = Accounts.standard().get("editor");
    private final SeededServer server;
    private final JdbcTemplate jdbc;

    ApplicationPasswordUseTest(SeededServer server) {
        this.server = server;
        this.jdbc = server.context().getBean(JdbcTemplate.class);
    }

    @BeforeEach
    void forgetUse() {
        server.context().getBean(ApplicationPasswords.class).storeUses();
        jdbc.update("update application_password set last_used_at = null" + OF_AUTHOR, author.login());
    }

    @Test
    void whoReadsStoresNothing() {
        assertThat(server.statements().during(this::read))
                .extracting(Statements.Ran::sql)
                .isNotEmpty()
                .noneMatch(sql -> sql.startsWith("update"));

        assertThat(server.site()
                        .call("GET", "/cms/v2/users/me/application-passwords/introspect")
                        .as(author)
                        .send()
                        .json()
                        .path("last_used")
                        .isString())
                .isTrue();
        server.context().getBean(ApplicationPasswords.class).storeUses();
        assertThat(stored()).isOne();
    }

    @Test
    void onAFullDiskAUseIsToldAndNotStored() {
        var full = new ApplicationPasswords(
                server.context().getBean(InstantSource.class),
                server.context().getBean(JdbcClient.class),
                server.context().getBean(AccountStore.class),
                server.context().getBean(ServerKey.class),
                () -> true,
                server.context().getBean(CmsSettings.class));
        long id = full.authenticate(author.login(), author.password(), "192.0.2.1")
                .orElseThrow()
                .id();

        full.storeUses();

        assertThat(full.of(id))
                .first()
                .satisfies(told -> assertThat(told.lastIp()).contains("192.0.2.1"));
        assertThat(stored()).isZero();
    }

    @Test
    void aUseThatCannotBeStoredKeepsNoOther() {
        ApplicationPasswords passwords = server.context().getBean(ApplicationPasswords.class);
        jdbc.execute("alter table application_password add constraint refused check (last_address <> '192.0.2.66')");
        try {
            for (List<Account> both : List.of(List.of(author, editor), List.of(editor, author))) {
                jdbc.update("update application_password set last_used_at = null");
                passwords.authenticate(both.get(0).login(), both.get(0).password(), "192.0.2.66");
                passwords.authenticate(both.get(1).login(), both.get(1).password(), "192.0.2.1");

                assertThatThrownBy(passwords::storeUses).isInstanceOf(DataIntegrityViolationException.class);

                assertThat(stored(both.get(0))).isZero();
                assertThat(stored(both.get(1))).isOne();
                passwords.authenticate(both.get(0).login(), both.get(0).password(), "192.0.2.1");
                passwords.storeUses();
                assertThat(stored(both.get(0))).as("the next time").isOne();
            }
        } finally {
            jdbc.execute("alter table application_password drop constraint refused");
        }
    }

    /** Some proxies write a port behind an address, or no address at all. */
    @Test
    void whereSomebodyComesFromIsNeverTooLongToBeStored() {
        ApplicationPasswords passwords = server.context().getBean(ApplicationPasswords.class);
        long id = passwords
                .authenticate(author.login(), author.password(), "[" + "2001:0db8:".repeat(4) + "]:50000")
                .orElseThrow()
                .id();

        passwords.storeUses();

        assertThat(stored()).isOne();
        assertThat(passwords.of(id))
                .first()
                .satisfies(told -> assertThat(told.lastIp().orElse("")).startsWith("[2001:0db8:"));
    }

    private void read() {
        assertThat(server.site().call("GET", "/cms/v2/posts").as(author).send().status())
                .isEqualTo(200);
    }

    private long stored() {
        return stored(author);
    }

    private long stored(Account account) {
        String used = "select count(*) from application_password" + OF_AUTHOR + " and last_used_at is not null";
        return Objects.requireNonNull(jdbc.queryForObject(used, Long.class, account.login()));
    }
}
