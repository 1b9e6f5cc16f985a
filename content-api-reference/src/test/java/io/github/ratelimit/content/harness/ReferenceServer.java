package io.github.ratelimit.content.harness;

import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.cms.security.QuickHashes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/** The real server on a free loopback port, empty but for the accounts, with a data directory of its own. */
public final class ReferenceServer implements AutoCloseable {

    private final Path dataDirectory;
    private final Database.Instance database;
    private final ConfigurableApplicationContext context;
    private final Statements statements;

    private ReferenceServer(
            Path dataDirectory,
            Database.Instance database,
            ConfigurableApplicationContext context,
            Statements statements) {
        this.dataDirectory = dataDirectory;
        this.database = database;
        this.context = context;
        this.statements = statements;
    }

    /**
     * Starts a server and returns when it serves.
     *
     * @param kind the database it keeps its content in
     * @param more further arguments, for example {@code --content-api.site.title=Other}; each stands in place of the usual one of its name
     */
    public static ReferenceServer start(Database kind, String... more) {
        return start(kind, starting -> {}, more);
    }

    /**
     * Starts a server of which some parts are others.
     *
     * @param kind the database it keeps its content in
     * @param parts puts them in place of the usual ones, before anything is made
     * @param more as with {@link #start(Database, String...)}
     */
    public static ReferenceServer start(
            Database kind, ApplicationContextInitializer<ConfigurableApplicationContext> parts, String... more) {
        Path dataDirectory = temporaryDirectory();
        Database.Instance database = kind.create();
        try {
            List<String> settings = new ArrayList<>(database.arguments());
            settings.addAll(Arrays.asList(more));
            List<String> arguments = arguments(dataDirectory, 0, settings);
            Statements statements = new Statements();
            ConfigurableApplicationContext context = new SpringApplicationBuilder(ContentApiApplication.class)
                    .initializers(
                            QuickHashes::in,
                            starting -> starting.getBeanFactory().addBeanPostProcessor(statements),
                            parts)
                    .run(arguments.toArray(String[]::new));
            return new ReferenceServer(dataDirectory, database, context, statements);
        } catch (RuntimeException e) {
            database.close();
            delete(dataDirectory);
            throw e;
        }
    }

    /**
     * Puts parts in place of the usual ones of their types: a clock, a store, an assistant.
     *
     * @param parts stay as they are when the server is closed
     */
    public static ApplicationContextInitializer<ConfigurableApplicationContext> with(Object... parts) {
        return starting -> {
            for (Object part : parts) {
                starting.getBeanFactory().registerSingleton(part.getClass().getName(), part);
            }
        };
    }

    /**
     * Returns the arguments of an empty server that knows the standard accounts and trusts one address.
     *
     * @param dataDirectory where it keeps its files
     * @param port the port it listens on; 0 for any that is free
     * @param more further ones; each stands in place of the one before it of its name
     */
    static List<String> arguments(Path dataDirectory, int port, List<String> more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--content-api.data-dir=" + dataDirectory,
                "--content-api.demo=false",
                "--content-api.cache.trusted-callers=" + Accounts.TRUSTED_ADDRESS + "/32",
                "--ratelimit.http.trusted-proxies=127.0.0.0/8",
                // What is wrong comes back in answers; start-up lines would bury the differences that are printed.
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn",
                "--logging.level.io.github.ratelimit=warn"));
        int i = 0;
        for (Account account : Accounts.standard().all()) {
            String user = "--content-api.provision.users[" + i++ + "].";
            arguments.add(user + "login=" + account.login());
            arguments.add(user + "role=" + account.role());
            arguments.add(user + "email=" + account.email());
            arguments.add(user + "display-name=" + account.displayName());
            arguments.add(user + "password=" + account.signInPassword());
            arguments.add(user + "application-password=" + account.password());
        }
        for (String argument : more) {
            String name = argument.substring(0, argument.indexOf('=') + 1);
            arguments.removeIf(usual -> usual.startsWith(name));
            arguments.add(argument);
        }
        return arguments;
    }

    /** Returns the address of the site, without a slash at its end. */
    public String base() {
        return "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    /** Returns the directory that the server keeps its files in. */
    public Path dataDirectory() {
        return Path.of(context.getEnvironment().getRequiredProperty("content-api.data-dir"));
    }

    /** Returns the running application, to reach what no request reaches. */
    public ConfigurableApplicationContext context() {
        return context;
    }

    /** Returns what listens to the statements that the server runs. */
    public Statements statements() {
        return statements;
    }

    @Override
    public void close() {
        context.close();
        database.close();
        delete(dataDirectory);
    }

    private static Path temporaryDirectory() {
        try {
            return Files.createTempDirectory("content-api");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) {
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
