package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Store;
import io.github.ratelimit.TimeSource;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/**
 * The scripts and nothing else, over a plain connection: what was asked since the last time is decided by one call when {@link #send()}
 * says so. For one thread.
 */
final class ScriptStore implements Store {

    private record Asked(List<Charge> charges, CompletableFuture<Decision> answer) {

        boolean isSameAs(Asked other) {
            return charges.equals(other.charges);
        }
    }

    /** What the scripts return first. */
    private static final long NUMBER = 7;

    private final TimeSource time;
    private final CounterDigests digests = new CounterDigests(RedisStore.Builder.DEFAULT_KEY_PREFIX, null);
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> connection;
    private final Script acquire;
    private final Script refund;
    private final List<Asked> asked = new ArrayList<>();

    /**
     * Connects.
     *
     * @param form which form of the scripts is used
     */
    ScriptStore(String uri, UnaryOperator<Script> form, TimeSource time) {
        this.time = time;
        this.client = RedisClient.create(RedisURI.create(uri));
        this.connection = client.connect(ByteArrayCodec.INSTANCE);
        this.acquire = loaded(form.apply(Script.named("acquire.lua")));
        this.refund = loaded(form.apply(Script.named("refund.lua")));
    }

    private Script loaded(Script script) {
        if (!connection.sync().scriptLoad(script.text()).equals(script.sha1())) {
            throw new AssertionError("the server knows the script by another digest");
        }
        return script;
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(List<Charge> charges) {
        CompletableFuture<Decision> answer = new CompletableFuture<>();
        asked.add(new Asked(charges, answer));
        return answer;
    }

    /** Decides what was asked, in one call. */
    void send() {
        List<List<Asked>> runs = new ArrayList<>();
        for (Asked each : asked) {
            if (runs.isEmpty() || !each.isSameAs(runs.get(runs.size() - 1).get(0))) {
                runs.add(new ArrayList<>());
            }
            runs.get(runs.size() - 1).add(each);
        }
        asked.clear();
        if (runs.isEmpty()) {
            return;
        }
        List<byte[]> keys = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (List<Asked> run : runs) {
            Asked first = run.get(0);
            numbers.addAll(List.of(1L, (long) first.charges.size(), (long) run.size()));
            keys.addAll(keys(first.charges));
            for (Charge charge : first.charges) {
                numbers.add(charge.cost());
                numbers.add(charge.limit().permits());
                numbers.add(charge.limit().window().toMillis());
            }
        }
        Reply reply = call(acquire, keys, numbers);
        long told = reply.next();
        long now = told != 0 ? told : TimeSource.system().instant().toEpochMilli();
        runs.forEach(run -> tell(run, now, reply));
    }

    private void tell(List<Asked> run, long now, Reply reply) {
        List<Charge> charges = run.get(0).charges;
        long allowed = reply.next();
        if (allowed < 0) {
            throw new AssertionError(reply.nextError());
        }
        Standing[] before = new Standing[charges.size()];
        for (int i = 0; i < before.length; i++) {
            long used = reply.next();
            before[i] = Standing.of(used, reply.next(), now, charges.get(i).limit());
        }
        for (int i = 0; i < run.size(); i++) {
            Standing[] after = Standing.after(before, charges, Math.min(i + 1L, allowed));
            run.get(i).answer.complete(Standing.decision(this, charges, after, i < allowed));
        }
    }

    @Override
    public CompletableFuture<Void> settleAsync(Decision decision, ToLongFunction<Charge> actual) {
        return decision.settleOnce(this, () -> {
            List<Long> numbers = new ArrayList<>();
            for (int i = 0; i < decision.charges().size(); i++) {
                numbers.add(decision.charges().get(i).cost());
                numbers.add(Standing.window(decision.statuses().get(i).resetAt().toEpochMilli()));
            }
            call(refund, keys(decision.charges()), numbers);
            return CompletableFuture.completedFuture(null);
        });
    }

    @Override
    public CompletableFuture<Void> resetAsync(List<Charge> charges) {
        connection.sync().del(keys(charges).toArray(byte[][]::new));
        return CompletableFuture.completedFuture(null);
    }

    private List<byte[]> keys(List<Charge> charges) {
        return Arrays.stream(digests.of(charges)).map(Counter::redisKey).toList();
    }

    private Reply call(Script script, List<byte[]> keys, List<Long> numbers) {
        CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE)
                .add(script.sha1())
                .add(keys.size())
                .addKeys(keys)
                .add(NUMBER)
                .addValues(numbers.stream()
                        .map(number -> Long.toString(number).getBytes(US_ASCII))
                        .toList());
        Reply reply = new Reply();
        connection.sync().dispatch(CommandType.EVALSHA, reply, args);
        if (!reply.answers(NUMBER)) {
            throw new AssertionError("the reply has another number");
        }
        return reply;
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
