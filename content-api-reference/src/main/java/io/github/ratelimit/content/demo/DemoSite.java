package io.github.ratelimit.content.demo;

import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.security.Account;
import io.github.ratelimit.content.cms.security.Accounts;
import io.github.ratelimit.content.cms.security.ApplicationPasswords;
import io.github.ratelimit.content.cms.security.Role;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.server.store.SqlCondition;
import io.github.ratelimit.content.widget.Coupons;
import io.github.ratelimit.content.widget.sync.Documents;
import io.github.ratelimit.content.widget.sync.Workspaces;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.crypto.keygen.Base64StringKeyGenerator;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Fills an empty site once, before the server serves, and tells the keys to it once, when it does.
 *
 * <p>All of it is one transaction: a start that breaks off leaves an empty site, to be filled by the next one.
 */
@Component
class DemoSite implements SmartLifecycle, DisposableBean {
    private static final String LOGIN = "admin";
    private static final String WORKSPACE = "demo";

    private final InstantSource clock;
    private final DemoProperties properties;
    private final String configuredAddress;
    private final Environment environment;
    private final JdbcClient jdbc;
    private final TransactionOperations transaction;
    private final Accounts accounts;
    private final ApplicationPasswords passwords;
    private final Workspaces workspaces;
    private final Documents documents;
    private final Coupons coupons;
    private final DemoContent content;
    private @Nullable List<String> keys;
    private boolean isRunning;

    DemoSite(
            InstantSource clock,
            DemoProperties properties,
            CmsSettings settings,
            Environment environment,
            JdbcClient jdbc,
            TransactionOperations transaction,
            Accounts accounts,
            ApplicationPasswords passwords,
            Workspaces workspaces,
            Documents documents,
            Coupons coupons,
            DemoContent content) {
        this.clock = clock;
        this.properties = properties;
        this.configuredAddress = settings.baseUrl();
        this.environment = environment;
        this.jdbc = jdbc;
        this.transaction = transaction;
        this.accounts = accounts;
        this.passwords = passwords;
        this.workspaces = workspaces;
        this.documents = documents;
        this.coupons = coupons;
        this.content = content;
    }

    @Override
    public void start() {
        isRunning = true;
        if (!isWanted() || !isEmpty()) {
            return;
        }
        try {
            keys = transaction.execute(status -> fill());
        } catch (DuplicateKeyException e) {
            // Another server on the same database fills the site at this moment.
            keys = null;
        }
    }

    @Override
    public void stop() {
        isRunning = false;
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    /** Well before the web server, which starts among the last. */
    @Override
    public int getPhase() {
        return 0;
    }

    private boolean isWanted() {
        return properties.isWanted(environment);
    }

    private boolean isEmpty() {
        return jdbc.sql("select (select count(*) from item) + (select count(*) from demo_site)")
                        .query(Long.class)
                        .single()
                == 0;
    }

    private List<String> fill() {
        jdbc.sql("insert into demo_site (id, filled_at) values (1, :now)")
                .param("now", clock.instant().atOffset(ZoneOffset.UTC))
                .update();
        List<String> told = new ArrayList<>();
        Optional<Account> known = administrator();
        Account admin = known.orElseGet(() -> {
            String password =
                    new Base64StringKeyGenerator(Base64.getUrlEncoder().withoutPadding(), 15).generateKey();
            accounts.create(LOGIN, password, Role.ADMINISTRATOR, "Site Admin", "");
            Account made = accounts.findByName(LOGIN).orElseThrow();
            told.add("Administrator         " + LOGIN);
            told.add("  password            " + password);
            if (passwords.isEnabled()) {
                told.add("  application         "
                        + passwords.issue(made.id(), "Demonstration", "").grouped());
            }
            return made;
        });
        content.write(admin.caller());
        String token = workspaces.issueToken(WORKSPACE);
        documents.upsert(WORKSPACE, DemoContent.documents());
        coupons.grant(WORKSPACE, "WELCOME10", "Ten per cent off a first order", 10, null);
        told.add("Workspace             " + WORKSPACE);
        told.add("  token               " + token);
        return told;
    }

    private Optional<Account> administrator() {
        return accounts
                .list(
                        List.of(SqlCondition.isOneOfTexts("a.role", List.of(Role.ADMINISTRATOR.wireName()))),
                        "a.id",
                        0,
                        1)
                .rows()
                .stream()
                .findFirst();
    }

    @EventListener
    void tell(ApplicationReadyEvent ready) {
        if (ready.getApplicationContext() instanceof WebServerApplicationContext web && web.getWebServer() != null) {
            tell(web.getWebServer().getPort());
        }
    }

    /** A start that fails after the site was filled, on a port that is taken for example, must not keep the keys. */
    @Override
    public void destroy() {
        if (keys == null) {
            return;
        }
        tell(environment.getProperty("server.port", Integer.class, 8080));
    }

    /** To the console and not to the log: logs are kept, and read by more people. */
    private void tell(int port) {
        if (keys != null) {
            System.out.println(
                    addresses(port) + "\nThe keys to it. They are shown once.\n\n" + String.join("\n", keys) + "\n");
            keys = null;
        } else if (isWanted()) {
            System.out.println(addresses(port));
        }
    }

    private String addresses(int port) {
        String base = configuredAddress.isBlank() ? "http://localhost:" + port : configuredAddress;
        return """

                Demonstration         %1$s/demo
                Limits at work        %1$s/limits (for an administrator)
                Site                  %1$s/
                Interface             %2$s
                Health                %1$s/actuator/health
                """.formatted(base, RestAddress.of(base, "/"));
    }
}
