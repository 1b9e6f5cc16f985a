package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.ratelimit.TimeSource;
import io.github.ratelimit.remote.Batch;
import io.github.ratelimit.remote.Connection;
import io.github.ratelimit.remote.Reply;
import io.github.ratelimit.remote.Server;
import io.github.ratelimit.remote.UnansweredException;
import io.github.ratelimit.remote.UnansweredException.Meaning;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A connection to a master: sends batches as calls of the script, and does for them what a server's error asks for. For the event loop. */
final class RedisConnection implements Connection {

    /** Sends a call to the server that an error names. */
    @FunctionalInterface
    interface Redirection {
        void follow(RedisConnection from, ScriptCall call, String error);
    }

    /** Chosen: a topology that is about to change settles within fewer. */
    private static final int MOST_REDIRECTS = 5;

    /** Needs no other rights than reading and removing settings. */
    private static final String REMOVE_SETTINGS = """
            local all, seen = redis.call('HGETALL', KEYS[1]), {}
            for i = 1, #ARGV, 2 do seen[ARGV[i]] = ARGV[i + 1] end
            for i = 1, #all, 2 do
              if seen[all[i]] == all[i + 1] then redis.call('HDEL', KEYS[1], all[i]) end
            end""";

    private final StatefulRedisConnection<byte[], byte[]> client;
    private final Server server;
    private final RedisKeys keys;
    private final ServerCheck check;
    private final @Nullable Redirection redirection;
    private Script script;
    private boolean hasAnswered;
    private long calls;

    /**
     * Uses a connection.
     *
     * @param script in its first form: the server, or what the user may, can be another one than before
     * @param redirection null where the server is no node of a Cluster
     */
    RedisConnection(
            StatefulRedisConnection<byte[], byte[]> client,
            Script script,
            Server server,
            RedisKeys keys,
            ServerCheck check,
            @Nullable Redirection redirection) {
        this.client = client;
        this.script = script;
        this.server = server;
        this.keys = keys;
        this.check = check;
        this.redirection = redirection;
        check.forget();
        client.addListener(new RedisConnectionStateListener() {
            @Override
            public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
                server.disconnected(RedisConnection.this);
            }
        });
    }

    RedisKeys keys() {
        return keys;
    }

    Server server() {
        return server;
    }

    @Override
    public void send(List<Batch> batches) {
        if (batches.size() == 1) {
            client.dispatch(call(batches.get(0), false, 0));
        } else {
            client.dispatch(batches.stream().map(batch -> call(batch, false, 0)).toList());
        }
    }

    private ScriptCall call(Batch batch, boolean withText, int redirects) {
        return new ScriptCall(this, batch, script, withText, ++calls, redirects);
    }

    /**
     * Sends a call that another server did not run.
     *
     * @param asking whether the slot is being moved to this one, and is not its own yet
     */
    void sendRedirected(ScriptCall call, boolean asking) {
        call.batch().redirected();
        if (asking) {
            client.dispatch(new Command<>(CommandType.ASKING, new StatusOutput<>(ByteArrayCodec.INSTANCE), null));
        }
        // ASKING is for one command: a server that does not know the script could not be sent it in another one.
        client.dispatch(call(call.batch(), asking, call.redirects + 1));
    }

    void ended(ScriptCall call, @Nullable Throwable failure) {
        Batch batch = call.batch();
        if (failure != null) {
            batch.fail(UnansweredException.lost("Redis", failure));
        } else if (call.getOutput().hasError()) {
            rejected(call, call.getOutput().getError());
        } else {
            Reply reply = call.reply();
            if (reply == null) {
                String why = "a reply belonged to another call, so the connection is replaced";
                server.replaceConnection(why);
                batch.fail(new UnansweredException(Meaning.LOST, why, null));
            } else {
                hasAnswered = true;
                batch.answer(reply);
            }
        }
    }

    private void rejected(ScriptCall call, String error) {
        Batch batch = call.batch();
        try {
            if (ServerErrors.isUnknownScript(error) && !call.hasText() && !batch.isAbandoned()) {
                client.dispatch(call(batch, true, call.redirects));
            } else if (ServerErrors.lacksPexpiretime(error) && !hasAnswered && script.equals(Script.USUAL)) {
                script = Script.WITHOUT_PEXPIRETIME;
                client.dispatch(call(batch, false, call.redirects));
            } else if (redirection != null
                    && ServerErrors.isElsewhere(error)
                    && call.redirects < MOST_REDIRECTS
                    && !batch.isAbandoned()) {
                redirection.follow(this, call, error);
            } else if (ServerErrors.isTryAgain(error) && batch.groups() > 1) {
                send(batch.split());
            } else {
                batch.fail(failure(error, redirection != null));
            }
        } catch (RuntimeException e) { // the connection was closed
            batch.fail(UnansweredException.lost("Redis", e));
        }
    }

    static Meaning meaning(String error, boolean isOfServer) {
        return ServerErrors.isReplica(error) ? Meaning.CONNECTION : isOfServer ? Meaning.SERVER : Meaning.REQUEST;
    }

    static UnansweredException failure(String error, boolean isCluster) {
        boolean isOfServer = ServerErrors.isTrouble(error) && !(isCluster && ServerErrors.isElsewhere(error));
        return new UnansweredException(
                meaning(error, isOfServer), "Redis rejected: " + ServerErrors.explained(error), null);
    }

    /** The server's view of its Cluster. */
    CompletionStage<String> clusterNodes() {
        try {
            return client.async().clusterNodes();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Map<String, String>> readSettings() {
        return explained(client.async().hgetall(keys.settings())).thenApply(all -> {
            Map<String, String> settings = new HashMap<>();
            all.forEach((name, value) -> settings.put(new String(name, UTF_8), new String(value, UTF_8)));
            return settings;
        });
    }

    @Override
    public CompletionStage<Void> putSettings(Map<String, String> settings) {
        IdentityHashMap<byte[], byte[]> fields = new IdentityHashMap<>();
        settings.forEach((name, value) -> fields.put(name.getBytes(UTF_8), value.getBytes(UTF_8)));
        return explained(client.async().hset(keys.settings(), fields)).thenAccept(count -> {});
    }

    @Override
    public CompletionStage<Void> removeSettings(Map<String, String> seen) {
        byte[][] pairs = seen.entrySet().stream()
                .flatMap(each -> Stream.of(each.getKey(), each.getValue()))
                .map(text -> text.getBytes(UTF_8))
                .toArray(byte[][]::new);
        return explained(client.async()
                        .<Long>eval(REMOVE_SETTINGS, ScriptOutputType.INTEGER, new byte[][] {keys.settings()}, pairs))
                .thenAccept(none -> {});
    }

    private static <T> CompletionStage<T> explained(CompletionStage<T> answer) {
        return answer.exceptionally(failure -> {
            throw failure instanceof RedisCommandExecutionException error
                    ? failure(String.valueOf(error.getMessage()), false)
                    : new CompletionException(failure);
        });
    }

    @Override
    public boolean isOpen() {
        return client.isOpen();
    }

    @Override
    public void close() {
        client.closeAsync();
    }

    @Override
    public void tick() {
        check.askIfDue(client, TimeSource.system().nanoTime());
    }
}
