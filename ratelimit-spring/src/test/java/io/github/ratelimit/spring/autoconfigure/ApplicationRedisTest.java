package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.StoreException;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.redis.Servers;
import io.github.ratelimit.redis.TlsTerminator;
import io.github.ratelimit.spring.internal.endpoint.DescribedCall;
import io.github.ratelimit.spring.internal.redis.ApplicationRedis;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** The store goes where the application's connections go, with a client of its own; against real servers. */
class ApplicationRedisTest {

    private static final String MASTER = "counters";

    private static List<Charge> charges(String client) {
        return List.of(new Charge("api", Limit.of("only", 1000, Duration.ofHours(1)), Key.of(client)));
    }

    private static RedisStore store(LettuceConnectionFactory factory) {
        RedisStore.Builder store = RedisStore.builder().timeout(Duration.ofSeconds(10)); // a busy machine
        new ApplicationRedis(factory).applyTo(store);
        return store.build();
    }

    private static void assertDecides(RedisStore store) {
        for (int i = 0; i < 20; i++) { // on a Cluster: of all slots
            assertThat(store.tryAcquire(charges("client " + i)).allowed()).isTrue();
        }
    }

    private static String on(String uri, Function<RedisCommands<String, String>, Object> asked) {
        RedisClient client = RedisClient.create(uri);
        try (var connection = client.connect()) {
            return String.valueOf(asked.apply(connection.sync()));
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    private static long keys(String uri) {
        return Long.parseLong(on(uri, RedisCommands::dbsize));
    }

    private static void user(String uri, String name, String... passwords) {
        on(uri, server -> {
            AclSetuserArgs user = AclSetuserArgs.Builder.on().resetpass();
            for (String password : passwords) {
                user.addPassword(password);
            }
            return server.aclSetuser(name, user.allKeys().allChannels().allCommands());
        });
    }

    private static RedisStandaloneConfiguration standalone(String uri) {
        return new RedisStandaloneConfiguration("127.0.0.1", URI.create(uri).getPort());
    }

    private static LettuceConnectionFactory factory(
            RedisConfiguration at, Consumer<LettuceClientConfiguration.LettuceClientConfigurationBuilder> how) {
        LettuceClientConfiguration.LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        how.accept(client);
        return new LettuceConnectionFactory(at, client.build());
    }

    private static LettuceConnectionFactory factory(RedisConfiguration at) {
        return factory(at, client -> {});
    }

    private static RunningApplication.Builder application(Class<?>... sources) {
        return RunningApplication.of(sources)
                .property("ratelimit.store", "redis")
                .property("ratelimit.redis.timeout", "10s")
                .limiter("api", 1000);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static void assertDecides(RunningApplication application) {
        Limiters<?> limiters = application.context().getBean(Limiters.class);
        assertThat(decision(limiters).source()).isEqualTo(Decision.Source.STORE);
        assertDecides(application.context().getBean(RedisStore.class));
    }

    @SuppressWarnings("unchecked")
    private static Decision decision(Limiters<?> limiters) {
        return ((Limiters<HttpCall>) limiters).get("api").tryAcquire(DescribedCall.of("address:192.0.2.1"));
    }

    // ---- one server

    @Test
    void userDatabaseAndClientNameAreThoseOfSpringBoot() {
        try (RedisProcess redis = RedisProcess.start()) {
            user(redis.uri(), "limits", "of ann");
            user(redis.uri(), "default", "other");
            String operator = redis.uri().replace("//", "//:other@");
            try (RunningApplication application = application(Application.class)
                    .property("spring.data.redis.host", "127.0.0.1")
                    .property("spring.data.redis.port", Servers.port(redis))
                    .property("spring.data.redis.username", "limits")
                    .property("spring.data.redis.password", "of ann")
                    .property("spring.data.redis.database", "3")
                    .property("spring.data.redis.client-name", "shop")
                    .start()) {
                assertDecides(application);
                assertThat(keys(operator + "/3")).isEqualTo(21);
                assertThat(keys(operator)).isZero();
                assertThat(on(operator, RedisCommands::clientList))
                        .contains("name=shop")
                        .contains("user=limits");
            }
            try (RedisStore wrong = store(factory(standalone(redis.uri())))) {
                assertThatThrownBy(() -> wrong.tryAcquire(charges("ann"))).isInstanceOf(StoreException.class);
            }
        }
    }

    /** A factory keeps what it is given under the wider type apart from what its getters tell. */
    @Test
    void passwordOfAConfigurationUnderTheWiderTypeIsUsed() {
        try (RedisProcess redis = RedisProcess.start()) {
            user(redis.uri(), "default", "other");
            RedisStandaloneConfiguration at = standalone(redis.uri());
            at.setPassword("other");
            try (RedisStore store = store(factory(at))) {
                assertDecides(store);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class OwnFactory {

        static int port;

        @Bean
        @SuppressWarnings("deprecation") // in the older line, and still used
        LettuceConnectionFactory connections() {
            LettuceConnectionFactory factory = new LettuceConnectionFactory(); // and all by its setters
            factory.setHostName("127.0.0.1");
            factory.setPort(port);
            factory.setPassword("other");
            factory.setDatabase(2);
            return factory;
        }
    }

    @Test
    void decisionsGoOnWhileTheApplicationsFactoryIsStoppedAndStarted() {
        try (RedisProcess redis = RedisProcess.start()) {
            user(redis.uri(), "default", "other");
            OwnFactory.port = Servers.port(redis);
            try (RunningApplication application = application(OwnFactory.class).start()) {
                Limiters<?> limiters = application.context().getBean(Limiters.class);
                LettuceConnectionFactory factory = application.context().getBean(LettuceConnectionFactory.class);
                for (int i = 0; i < 3; i++) {
                    assertDecides(application);
                    factory.stop();
                    assertThat(factory.isRunning()).isFalse();
                    for (int j = 0; j < 20; j++) {
                        assertThat(decision(limiters).source()).isEqualTo(Decision.Source.STORE);
                    }
                    factory.start();
                }
                assertThat(application
                                .context()
                                .getBean(RedisStore.class)
                                .statistics()
                                .connections())
                        .as("nothing had to be connected anew")
                        .isEqualTo(1);
                assertThat(keys(redis.uri().replace("//", "//:other@") + "/2")).isEqualTo(21);
            }
        }
    }

    /** Nobody has called afterPropertiesSet, and nobody will. */
    @Test
    void factoryThatWasNeverStartedIsEnough() {
        try (RedisProcess redis = RedisProcess.start()) {
            LettuceConnectionFactory factory = factory(standalone(redis.uri()));
            try (RedisStore store = store(factory)) {
                assertDecides(store);
            }
            assertThat(factory.isRunning()).isFalse();
        }
    }

    @Test
    void resourcesAreTheApplicationsAndStayOpen() throws Exception {
        AtomicInteger resolved = new AtomicInteger();
        ClientResources resources = ClientResources.builder()
                .socketAddressResolver(new SocketAddressResolver() {
                    @Override
                    public SocketAddress resolve(RedisURI uri) {
                        resolved.incrementAndGet();
                        return super.resolve(uri);
                    }
                })
                .build();
        try (RedisProcess redis = RedisProcess.start()) {
            try (RedisStore store =
                    store(factory(standalone(redis.uri()), client -> client.clientResources(resources)))) {
                assertDecides(store);
            }
            assertThat(resolved).hasPositiveValue();
            assertThat(resources.eventExecutorGroup().isShuttingDown()).isFalse();
            assertThat(resources.eventExecutorGroup().submit(() -> "done").get())
                    .isEqualTo("done");
        } finally {
            resources.shutdown(0, 1, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
        }
    }

    /** What hands out credentials is asked each time that a connection is made. */
    @Test
    void passwordThatChangesIsAskedForAtEachConnect() {
        try (RedisProcess redis = RedisProcess.start()) {
            user(redis.uri(), "limits", "first");
            user(redis.uri(), "default", "other");
            String operator = redis.uri().replace("//", "//:other@");
            AtomicReference<String> password = new AtomicReference<>("first");
            RedisCredentialsProvider provider =
                    RedisCredentialsProvider.from(() -> RedisCredentials.just("limits", password.get()));
            RedisCredentialsProviderFactory factory = new RedisCredentialsProviderFactory() {
                @Override
                public RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
                    return provider;
                }
            };
            try (RedisStore store = store(
                    factory(standalone(redis.uri()), client -> client.redisCredentialsProviderFactory(factory)))) {
                assertDecides(store);
                password.set("second");
                user(operator, "limits", "second");
                on(
                        operator,
                        server ->
                                server.clientKill(KillArgs.Builder.typeNormal().skipme()));
                Servers.await(
                        "a decision with the new password",
                        () -> decides(store) && store.statistics().connections() > 1);
            }
        }
    }

    private static boolean decides(RedisStore store) {
        try {
            return store.tryAcquire(charges("ann")).allowed();
        } catch (StoreException e) {
            return false;
        }
    }

    @Test
    void transportIsSecuredAsTheApplicationSays(@TempDir Path directory) throws Exception {
        try (RedisProcess redis = RedisProcess.start();
                TlsTerminator tls = TlsTerminator.start(directory, Servers.port(redis))) {
            RedisConfiguration at = standalone("redis://127.0.0.1:" + tls.port());
            ClientOptions trusting = ClientOptions.builder()
                    .sslOptions(SslOptions.builder()
                            .truststore(directory.resolve("store.p12").toFile(), "changeit")
                            .build())
                    .build();
            try (RedisStore store =
                    store(factory(at, client -> client.clientOptions(trusting).useSsl()))) {
                assertDecides(store);
            }
            try (RedisStore store = store(factory(at, client -> client.useSsl().disablePeerVerification()))) {
                assertDecides(store);
            }
            RedisStore.Builder verifying = RedisStore.builder().timeout(Duration.ofMillis(500));
            new ApplicationRedis(factory(at, client -> client.useSsl())).applyTo(verifying);
            try (RedisStore store = verifying.build()) {
                assertThatThrownBy(() -> store.tryAcquire(charges("ann")))
                        .as("a certificate that nobody vouches for")
                        .isInstanceOf(StoreException.class);
            }
        }
    }

    // ---- several servers

    @Test
    void masterIsTheOneThatSentinelNames() {
        try (RedisProcess redis = RedisProcess.start();
                RedisProcess sentinel = Servers.sentinel(MASTER, redis)) {
            user(redis.uri(), "limits", "of ann");
            on(redis.uri(), server -> server.aclSetuser("default", AclSetuserArgs.Builder.off()));
            user(sentinel.uri(), "watcher", "of bob");
            try (RunningApplication application = application(Application.class)
                    .property("spring.data.redis.sentinel.master", MASTER)
                    .property("spring.data.redis.sentinel.nodes", "127.0.0.1:" + Servers.port(sentinel))
                    .property("spring.data.redis.sentinel.username", "watcher")
                    .property("spring.data.redis.sentinel.password", "of bob")
                    .property("spring.data.redis.username", "limits")
                    .property("spring.data.redis.password", "of ann")
                    .property("spring.data.redis.database", "1")
                    .start()) {
                assertDecides(application);
            }
            RedisSentinelConfiguration own =
                    new RedisSentinelConfiguration().master(MASTER).sentinel("127.0.0.1", Servers.port(sentinel));
            own.setUsername("limits");
            own.setPassword("of ann");
            own.setSentinelUsername("watcher");
            own.setSentinelPassword("of bob");
            try (RedisStore store = store(factory(own))) {
                assertDecides(store);
            }
            on(sentinel.uri(), server -> server.aclSetuser("default", AclSetuserArgs.Builder.off()));
            try (RedisStore store = store(factory(own))) {
                assertDecides(store);
            }
            assertThat(keys(redis.uri().replace("//", "//limits:of%20ann@") + "/1"))
                    .isEqualTo(21);
        }
    }

    @Test
    void clusterIsKnownByAnyOfItsNodes() {
        try (Servers.Cluster cluster = new Servers.Cluster()) {
            cluster.uris().forEach(node -> user(node, "limits", "of ann"));
            try (RunningApplication application = application(Application.class)
                    .property("spring.data.redis.cluster.nodes", addresses(cluster.uris()))
                    .property("spring.data.redis.username", "limits")
                    .property("spring.data.redis.password", "of ann")
                    .start()) {
                assertDecides(application);
                assertThat(application.context().getBean(RedisStore.class).isCluster())
                        .isTrue();
            }
            cluster.uris()
                    .forEach(node ->
                            assertThat(keys(node)).as("keys of %s", node).isPositive());
            cluster.uris()
                    .forEach(node -> on(node, server -> server.aclSetuser("default", AclSetuserArgs.Builder.off())));
            RedisClusterConfiguration one = new RedisClusterConfiguration(
                    List.of(addresses(cluster.uris().subList(1, 2))));
            one.setUsername("limits");
            one.setPassword("of ann");
            try (RedisStore store = store(factory(one))) {
                assertThat(store.isCluster()).isTrue();
                assertDecides(store);
            }
        }
    }

    private static String addresses(List<String> uris) {
        return uris.stream().map(uri -> uri.replace("redis://", "")).collect(Collectors.joining(","));
    }

    @Test
    void masterAmongGivenServersIsFound() {
        try (RedisProcess master = RedisProcess.start();
                RedisProcess replica = RedisProcess.start("--replicaof", "127.0.0.1 " + Servers.port(master))) {
            Servers.await(
                    "the replica is in step",
                    () -> on(replica.uri(), server -> server.info("replication"))
                            .contains("master_link_status:up"));
            user(master.uri(), "limits", "of ann");
            user(replica.uri(), "limits", "of ann");
            RedisStaticMasterReplicaConfiguration both =
                    new RedisStaticMasterReplicaConfiguration("127.0.0.1", Servers.port(replica));
            both.addNode("127.0.0.1", Servers.port(master));
            both.setUsername("limits");
            both.setPassword("of ann");
            both.setDatabase(4);
            try (RedisStore store = store(factory(both))) {
                assertDecides(store);
            }
            assertThat(keys(master.uri() + "/4")).isEqualTo(20);
        }
    }

    // ---- which factory

    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class TwoFactories {

        @Bean
        LettuceConnectionFactory cache() {
            return new LettuceConnectionFactory("127.0.0.1", 1);
        }

        @Bean
        LettuceConnectionFactory sessions() {
            return new LettuceConnectionFactory("127.0.0.1", 2);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class PrimaryFactory {

        static int port;

        @Bean
        LettuceConnectionFactory cache() {
            return new LettuceConnectionFactory("127.0.0.1", 1);
        }

        @Bean
        @Primary
        LettuceConnectionFactory sessions() {
            return new LettuceConnectionFactory("127.0.0.1", port);
        }
    }

    @Test
    void ofSeveralFactoriesThePrimaryOneIsMeant() {
        try (RedisProcess redis = RedisProcess.start()) {
            PrimaryFactory.port = Servers.port(redis);
            try (RunningApplication application = application(PrimaryFactory.class)
                    .property("management.health.redis.enabled", "false")
                    .start()) {
                assertDecides(application);
            }
            WebApplicationContextRunner runner = new WebApplicationContextRunner()
                    .withConfiguration(Ours.autoConfigurations())
                    .withUserConfiguration(TwoFactories.class)
                    .withPropertyValues("ratelimit.store=redis", "ratelimit.redis.timeout=10s");
            runner.run(
                    context -> assertThat(context)
                            .getFailure()
                            .hasRootCauseMessage(
                                    "ratelimit.redis.uri: must be given where there are several connection factories: cache, sessions"));
            runner.withPropertyValues("ratelimit.redis.uri=" + redis.uri())
                    .run(context -> assertDecides(context.getBean(RedisStore.class)));
        }
    }
}
