package io.github.ratelimit.postgresql;

import static java.lang.System.Logger.Level.WARNING;

import io.github.ratelimit.Charge;
import io.github.ratelimit.SharedSettings;
import io.github.ratelimit.remote.Counter;
import io.github.ratelimit.remote.RemoteStore;
import io.github.ratelimit.remote.Server;
import io.github.ratelimit.remote.UnansweredException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Counts in PostgreSQL, so that many nodes share one exact budget. A decision is usually one call of a function, with any number of limiters
 * and limits.
 *
 * <p>Windows open and end by PostgreSQL's clock. {@link RemoteStore} describes gathering, deadlines and outages. The
 * store takes two connections from the data source and keeps them: no decision waits for a pool or is part of an application's transaction. It
 * leaves no settings in their sessions. A synchronous caller makes its call itself if no other is under way.
 *
 * <p>PostgreSQL 14 or newer. Its schema is made by {@link Builder#createSchema}, or by the statements of {@link #schemaScript}.
 */
public final class PostgresStore extends RemoteStore {

    /** Measured: with a second call on its way client and server do not wait for each other. */
    private static final int MOST_CALLS_ON_THE_WAY = 2;

    private final Engine engine;
    private final Connector connector;
    private final Server server;
    private final SharedSettings sharedSettings;

    private PostgresStore(Builder builder, Schema schema, Engine engine, Connector connector) {
        super(builder, "PostgreSQL", "schema " + schema.name(), engine, engine::isCurrent, builder.lines);
        this.engine = engine;
        this.connector = connector;
        this.server = new Server("schema " + schema.name(), this::connect, this, new Listener());
        this.sharedSettings = settingsOn(() -> server);
    }

    private CompletableFuture<PostgresConnection> connect() {
        return connector.connect(server);
    }

    /** Starts to describe a store. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The statements that make the schema, for Flyway, Liquibase or psql. They may run again.
     *
     * @param schema its name
     * @param logged whether counts are to survive a crash of the server
     */
    public static String schemaScript(String schema, boolean logged) {
        return new Schema(schema, logged).script();
    }

    /** The primary keys of the charges' counters, in their order, for PostgreSQL's own tools. */
    public List<UUID> keys(List<Charge> charges) {
        return Arrays.stream(counters(charges)).map(FunctionCall::key).toList();
    }

    @Override
    protected List<Server> serving() {
        return List.of(server);
    }

    @Override
    protected long losses() {
        return connector.losses();
    }

    @Override
    protected Server server(Counter counter) {
        return server;
    }

    @Override
    public Optional<SharedSettings> sharedSettings() {
        return Optional.of(sharedSettings);
    }

    @Override
    protected void stop() {
        server.stop("the store was closed", true)
                .forEach(request -> request.completeExceptionally(new UnansweredException("the store was closed")));
    }

    @Override
    protected void shutDown() {
        engine.await(); // which stops
        connector.close();
        engine.await(); // which hears of the calls that have ended by that
        engine.shutdown();
    }

    private final class Listener implements Server.Listener {

        private final Counter own = any();

        /** Not the same for all nodes, or probes would wait for each other. */
        private static Counter any() {
            return new Counter(0, 0, ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE));
        }

        @Override
        public void stateChanged(Server server) {
            healthChanged();
        }

        /** After a failure a new counter each time: a server with a full disk may still change rows, and add none. */
        @Override
        public @Nullable Counter probed(Server server) {
            return server.isFailing() ? any() : own;
        }

        @Override
        public int partOf(Counter counter) {
            return 0;
        }

        @Override
        public void clocksDiffer(Server server, Instant here, Instant there) {
            Connector.LOG.log(
                    WARNING,
                    "it is {0} here and {1} on PostgreSQL, whose clock decides: set the clock of this machine or of that one",
                    here,
                    there);
        }
    }

    /** Gathers what a store needs. Not safe for concurrent use. */
    public static final class Builder extends RemoteStore.Builder<Builder> {

        /** The default name of the schema. */
        public static final String DEFAULT_SCHEMA = "ratelimit";

        private @Nullable DataSource dataSource;
        private String schema = DEFAULT_SCHEMA;
        private boolean logged;
        private boolean createSchema;
        private int lines = MOST_CALLS_ON_THE_WAY;

        private Builder() {}

        @Override
        protected Builder self() {
            return this;
        }

        /**
         * Where connections come from, such as a {@code PGSimpleDataSource}. The store keeps two of them until it is closed, so that it needs
         * no pool, and a pool needs room for them.
         */
        public Builder dataSource(DataSource dataSource) {
            this.dataSource = dataSource;
            return this;
        }

        /**
         * The schema of table and functions: lower-case letters, digits and underscores. Applications that share a database and not their
         * limits need different ones.
         *
         * @throws IllegalArgumentException if it has other characters
         */
        public Builder schema(String schema) {
            this.schema = new Schema(schema, logged).name();
            return this;
        }

        /**
         * Whether a table that {@link #createSchema} makes is logged: counts survive a crash, except for those of the last 0.6 s at most. Not, by
         * default.
         */
        public Builder logged(boolean logged) {
            this.logged = logged;
            return this;
        }

        /** Whether to make the schema where a part of it is missing or older, for which the role needs rights. Not, by default. */
        public Builder createSchema(boolean createSchema) {
            this.createSchema = createSchema;
            return this;
        }

        /** How many calls may be on their way. */
        Builder lines(int lines) {
            this.lines = lines;
            return this;
        }

        /**
         * Makes the store, and waits until PostgreSQL has answered, or an attempt to connect has failed, or the start timeout has passed.
         * It returns in each case: a server that is down now may be up when the first request comes, and {@link PostgresStore#health} tells.
         *
         * @throws IllegalArgumentException if there is no data source
         */
        public PostgresStore build() {
            if (dataSource == null) {
                throw new IllegalArgumentException("a store on PostgreSQL needs a data source: call dataSource(…)");
            }
            Engine engine = new Engine();
            Schema of = new Schema(schema, logged);
            Connector connector = new Connector(dataSource, of, createSchema, engine, timeout(), lines);
            PostgresStore store = new PostgresStore(this, of, engine, connector);
            store.server.open();
            store.awaitKnown(this);
            return store;
        }
    }
}
