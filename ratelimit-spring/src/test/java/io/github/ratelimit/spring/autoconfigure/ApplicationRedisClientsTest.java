package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.redis.RedisProcess;
import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.redis.Servers;
import io.github.ratelimit.redis.TlsTerminator;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/** The store follows connection details and other clients of the application; against real servers. */
class ApplicationRedisClientsTest {

    private static final List<Charge> CHARGES =
            List.of(new Charge("api", Limit.of("only", 1000, Duration.ofHours(1)), Key.of("ann")));

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(Ours.autoConfigurations())
            .withConfiguration(AutoConfigurations.of(springBoots("RedisAutoConfiguration")))
            .withPropertyValues("ratelimit.store=redis", "ratelimit.redis.timeout=10s");

    /** A type that has another package and prefix on each line of Spring Boot. */
    private static Class<?> springBoots(String name) {
        return Stream.of(
                        "org.springframework.boot.autoconfigure.data.redis." + name, // 3.5
                        "org.springframework.boot.data.redis.autoconfigure.Data" + name) // 4
                .filter(each -> ClassUtils.isPresent(each, null))
                .<Class<?>>map(each -> ClassUtils.resolveClassName(each, null))
                .findFirst()
                .orElseThrow();
    }

    private static <T> T on(RedisProcess redis, String credentials, Function<RedisCommands<String, String>, T> asked) {
        RedisClient client = RedisClient.create(redis.uri().replace("//", "//" + credentials));
        try (var connection = client.connect()) {
            return asked.apply(connection.sync());
        } finally {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        }
    }

    /** Starts a server for the user ann alone. */
    private static RedisProcess redisOfAnn() {
        RedisProcess redis = RedisProcess.start();
        AclSetuserArgs all = AclSetuserArgs.Builder.on().allKeys().allChannels().allCommands();
        on(redis, "", server -> server.aclSetuser("ann", all.addPassword("secret")));
        on(redis, "", server -> server.aclSetuser("default", AclSetuserArgs.Builder.off()));
        return redis;
    }

    private static long keys(RedisProcess redis, int database) {
        return on(redis, "ann:secret@", server -> {
            server.select(database);
            return server.dbsize();
        });
    }

    // ---- connection details, as @ServiceConnection and Docker Compose give them

    /** Adds a bean of Spring Boot's type with one server, which answers by the names of its getters. */
    private ApplicationContextRunner withDetails(Map<String, Object> told) {
        Class<?> type = springBoots("RedisConnectionDetails");
        return runner.withInitializer(context -> register((GenericApplicationContext) context, type, told));
    }

    @SuppressWarnings("unchecked")
    private static void register(GenericApplicationContext context, Class<?> type, Map<String, Object> told) {
        context.registerBean((Class<Object>) type, () -> details(type, told));
    }

    private static Object details(Class<?> type, Map<String, Object> told) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return method.invoke(told, arguments);
            }
            return method.getName().equals("getStandalone")
                    ? details(method.getReturnType(), told)
                    : told.get(method.getName());
        });
    }

    private static Map<String, Object> ann(int port) {
        return new HashMap<>(Map.of(
                "getHost", "127.0.0.1",
                "getPort", port,
                "getDatabase", 2,
                "getUsername", "ann",
                "getPassword", "secret"));
    }

    @Test
    void connectionDetailsReachTheStore() {
        try (RedisProcess redis = redisOfAnn()) {
            withDetails(ann(Servers.port(redis)))
                    .withPropertyValues(
                            "spring.data.redis.client-type=lettuce", "spring.data.redis.host=nowhere.invalid")
                    .run(context -> assertThat(context.getBean(RedisStore.class)
                                    .tryAcquire(CHARGES)
                                    .allowed())
                            .isTrue());
            assertThat(keys(redis, 2)).isEqualTo(1);
        }
    }

    @Test
    void tlsOfConnectionDetailsReachesTheStore(@TempDir Path directory) throws Exception {
        try (RedisProcess redis = redisOfAnn();
                TlsTerminator tls = TlsTerminator.start(directory, Servers.port(redis))) {
            Map<String, Object> told = ann(tls.port());
            told.put("getSslBundle", trusting(directory.resolve("store.p12")));
            withDetails(told)
                    .run(context -> assertThat(context.getBean(RedisStore.class)
                                    .tryAcquire(CHARGES)
                                    .allowed())
                            .isTrue());
            assertThat(keys(redis, 2)).isEqualTo(1);
        }
    }

    private static SslBundle trusting(Path store) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            trusted.load(in, "changeit".toCharArray());
        }
        return SslBundle.of(SslStoreBundle.of(null, null, trusted));
    }

    // ---- other clients

    @Test
    void addressIsAskedForBesideJedis() {
        ApplicationContextRunner jedis = runner.withPropertyValues("spring.data.redis.client-type=jedis");
        jedis.run(
                context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseMessage(
                                "ratelimit.redis.uri: must be given, because the store cannot read the address from org.springframework.data.redis.connection.jedis.JedisConnectionFactory"));
        jedis.withPropertyValues("ratelimit.redis.uri=redis://127.0.0.1:1", "ratelimit.redis.start-timeout=0")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void addressIsAskedForIfTheClientDoesNotTell() {
        RedisConnectionFactory unknown = (RedisConnectionFactory) Proxy.newProxyInstance(
                RedisConnectionFactory.class.getClassLoader(),
                new Class<?>[] {RedisConnectionFactory.class},
                (proxy, method, arguments) ->
                        method.getDeclaringClass() == Object.class ? method.invoke("", arguments) : null);
        ApplicationContextRunner other = runner.withBean(RedisConnectionFactory.class, () -> unknown);
        other.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageStartingWith(
                        "ratelimit.redis.uri: must be given, because the store cannot read the address from "));
        other.withPropertyValues("ratelimit.redis.uri=redis://127.0.0.1:1", "ratelimit.redis.start-timeout=0")
                .run(context -> assertThat(context).hasNotFailed());
    }
}
