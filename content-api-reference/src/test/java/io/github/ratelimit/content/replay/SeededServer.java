package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.harness.Statements;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A server with the content of the recordings, shared by all test classes that ask for it and stopped after the last one.
 *
 * <p>What a test makes with the {@link #site() client} is deleted after it, and what a class makes before its tests is deleted after the
 * last one. A class asks for the server by a parameter of this type and by {@link OnDatabase}.
 */
public final class SeededServer implements AutoCloseable {

    private final ReferenceServer server;
    private final SiteClient site;
    private final Replayer replayer;

    private SeededServer(Database database) {
        // Writers that meet wait for each other: how long is not what they are asked about.
        server = ReferenceServer.start(
                database,
                "--spring.datasource.hikari.connection-timeout=60000",
                "--spring.jdbc.template.query-timeout=60s",
                // Nor is it how old an answer is: two that are compared may be a minute apart on a slow machine.
                "--content-api.cache.ttl=1h");
        site = new SiteClient(server.base());
        replayer = Replayer.load(new SiteClient(server.base()), Accounts.standard(), Recordings.ofTheProject());
        replayer.content().problems().forEach(problem -> System.out.println("content: " + problem));
    }

    /** Returns a client of it. */
    public SiteClient site() {
        return site;
    }

    /** Returns the content that it was given. */
    public ContentSet content() {
        return replayer.content();
    }

    /** Returns the running application, to reach what no request reaches. */
    public ConfigurableApplicationContext context() {
        return server.context();
    }

    /** Returns what listens to the statements that it runs. */
    public Statements statements() {
        return server.statements();
    }

    Replayer replayer() {
        return replayer;
    }

    /** Deletes what its client made, but for the first ones. */
    private void clear(int first) {
        List<String> made = site.made();
        while (made.size() > first) {
            String route = made.remove(made.size() - 1).split("rest_route=", 2)[1];
            site.as("admin").delete(route + "?force=true");
        }
    }

    @Override
    public void close() {
        server.close();
    }

    /** Gives test classes the server on their database, starts it for the first one, and clears it after each test. */
    public static final class Provider
            implements ParameterResolver, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

        private static final ExtensionContext.Namespace NAMESPACE =
                ExtensionContext.Namespace.create(SeededServer.class);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == SeededServer.class;
        }

        @Override
        public SeededServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return server(context);
        }

        @Override
        public void beforeEach(ExtensionContext context) {
            context.getStore(NAMESPACE).put("made", server(context).site.made().size());
        }

        @Override
        public void afterEach(ExtensionContext context) {
            server(context).clear(context.getStore(NAMESPACE).getOrDefault("made", Integer.class, 0));
        }

        @Override
        public void afterAll(ExtensionContext context) {
            server(context).clear(0);
        }

        private static SeededServer server(ExtensionContext context) {
            Database database = context.getRequiredTestClass()
                    .getAnnotation(OnDatabase.class)
                    .value();
            // In the session's store: it closes what it holds when this process
            // ends, and not with each class that it is given.
            return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
                    .computeIfAbsent(database, SeededServer::new, SeededServer.class);
        }
    }
}
