package io.github.ratelimit.spring.internal.redis;

import io.github.ratelimit.redis.RedisStore;
import io.github.ratelimit.redis.RedisTopology;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisSocketConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.RedisStaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Where the application's connections to Redis go, who logs in, and over which TLS: what a client of the store's own is made from.
 *
 * <p>Reads what the factory was given and nothing that it makes of it. The factory may be stopped, started late or never.
 */
public final class ApplicationRedis implements RedisClientSource {

    private static final @Nullable Field CONFIGURATION = configurationField();

    private final LettuceConnectionFactory factory;
    private final LettuceClientConfiguration client;

    /** Reads a factory of Lettuce. */
    public ApplicationRedis(LettuceConnectionFactory factory) {
        this.factory = factory;
        this.client = factory.getClientConfiguration();
    }

    /**
     * Reads the application's factory, be it Spring Boot's or its own.
     *
     * @param factory null where several factories leave the choice open
     * @param beans the factories
     * @throws InvalidRateLimitException if the address cannot be read from it
     */
    public static ApplicationRedis of(@Nullable RedisConnectionFactory factory, ListableBeanFactory beans) {
        if (factory == null) {
            throw new InvalidRateLimitException(
                    "ratelimit.redis.uri: must be given where there are several connection factories: "
                            + String.join(
                                    ", ",
                                    new TreeSet<>(beans.getBeansOfType(RedisConnectionFactory.class, false, false)
                                            .keySet())),
                    "give the address, or mark one of the factories as @Primary");
        }
        if (factory instanceof LettuceConnectionFactory lettuce) {
            return new ApplicationRedis(lettuce);
        }
        throw new InvalidRateLimitException(
                "ratelimit.redis.uri: must be given, because the store cannot read the address from "
                        + factory.getClass().getName(),
                "set it to the address of Redis, such as redis://user:password@host:6379");
    }

    @Override
    public void applyTo(RedisStore.Builder store) {
        RedisClusterConfiguration cluster = factory.getClusterConfiguration();
        RedisSentinelConfiguration sentinel = factory.getSentinelConfiguration();
        Object given = CONFIGURATION == null ? null : ReflectionUtils.getField(CONFIGURATION, factory);
        if (cluster != null) {
            store.topology(RedisTopology.CLUSTER).uris(nodes(cluster));
        } else if (sentinel != null) {
            store.topology(RedisTopology.SENTINEL).uris(List.of(sentinel(sentinel)));
        } else if (given instanceof RedisStaticMasterReplicaConfiguration masterReplica) {
            store.topology(RedisTopology.MASTER_REPLICA).uris(nodes(masterReplica));
        } else {
            store.topology(RedisTopology.SINGLE).uris(List.of(single(given)));
        }
        client.getClientResources().ifPresent(store::clientResources);
        client.getClientOptions().ifPresent(store::clientOptions);
    }

    private List<RedisURI> nodes(RedisClusterConfiguration cluster) {
        List<RedisURI> nodes = new ArrayList<>();
        for (RedisNode node : cluster.getClusterNodes()) {
            nodes.add(server(node, cluster));
        }
        return nodes;
    }

    private List<RedisURI> nodes(RedisStaticMasterReplicaConfiguration masterReplica) {
        List<RedisURI> nodes = new ArrayList<>();
        for (RedisStandaloneConfiguration node : masterReplica.getNodes()) {
            RedisURI uri = RedisURI.create(node.getHostName(), node.getPort());
            nodes.add(of(uri, masterReplica, masterReplica.getUsername(), masterReplica.getPassword()));
        }
        return nodes;
    }

    private RedisURI single(@Nullable Object given) {
        RedisSocketConfiguration socket = factory.getSocketConfiguration();
        if (socket != null) {
            RedisURI uri = RedisURI.Builder.socket(socket.getSocket()).build();
            return of(uri, socket, socket.getUsername(), socket.getPassword());
        }
        RedisStandaloneConfiguration standalone = given instanceof RedisStandaloneConfiguration said
                ? said // under the wider type, which the factory keeps apart from its own
                : factory.getStandaloneConfiguration();
        // The setters of the factory, which override what it was made with, are seen here as well.
        RedisURI uri = RedisURI.create(factory.getHostName(), factory.getPort());
        return of(uri, standalone, standalone.getUsername(), standalone.getPassword());
    }

    private RedisURI sentinel(RedisSentinelConfiguration sentinel) {
        RedisURI.Builder all = RedisURI.builder();
        for (RedisNode node : sentinel.getSentinels()) {
            RedisURI one = uri(node);
            secure(one);
            logIn(one, sentinel.getSentinelUsername(), sentinel.getSentinelPassword());
            client.getRedisCredentialsProviderFactory()
                    .ifPresent(from -> one.setCredentialsProvider(from.createSentinelCredentialsProvider(sentinel)));
            all.withSentinel(one);
        }
        RedisURI uri = all.withSentinelMasterId(
                        String.valueOf(sentinel.getMaster().getName()))
                .build();
        return of(uri, sentinel, sentinel.getDataNodeUsername(), sentinel.getDataNodePassword());
    }

    private RedisURI server(RedisNode node, RedisClusterConfiguration cluster) {
        return of(uri(node), cluster, cluster.getUsername(), cluster.getPassword());
    }

    private RedisURI of(RedisURI uri, RedisConfiguration configuration, @Nullable String user, RedisPassword password) {
        uri.setDatabase(factory.getDatabase());
        secure(uri);
        logIn(uri, user, password);
        // Asked at each connect: what it hands out may change.
        client.getRedisCredentialsProviderFactory()
                .ifPresent(from -> uri.setCredentialsProvider(from.createCredentialsProvider(configuration)));
        return uri;
    }

    private static RedisURI uri(RedisNode node) {
        return RedisURI.create(String.valueOf(node.getHost()), node.getPort() == null ? 6379 : node.getPort());
    }

    private void secure(RedisURI uri) {
        client.getClientName().ifPresent(uri::setClientName);
        uri.setSsl(client.isUseSsl());
        uri.setVerifyPeer(client.getVerifyMode());
        uri.setStartTls(client.isStartTls());
    }

    private static void logIn(RedisURI uri, @Nullable String user, RedisPassword password) {
        if (password.isPresent()) {
            uri.setCredentialsProvider(
                    new StaticCredentialsProvider(StringUtils.hasText(user) ? user : null, password.get()));
        }
    }

    /** Of the settings that the factory does not tell. */
    private static @Nullable Field configurationField() {
        Field field =
                ReflectionUtils.findField(LettuceConnectionFactory.class, "configuration", RedisConfiguration.class);
        if (field != null) {
            ReflectionUtils.makeAccessible(field);
        }
        return field;
    }
}
