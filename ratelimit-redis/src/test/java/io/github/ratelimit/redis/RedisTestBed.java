package io.github.ratelimit.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** One or more servers seen by an operator: what tests ask and change behind the store's back. Moves time by moving expiries. */
final class RedisTestBed implements AutoCloseable {

    /** Every key's expiry comes nearer by as much as time is to pass, and so does each ticket's end. */
    private static final Script MOVE_EXPIRIES = new Script("""
            local call = redis.call
            local moved = 0
            for _, key in ipairs(redis.call('KEYS', '*rl:1:*')) do
              local at = call('PEXPIRETIME', key)
              if at > 0 then
                if call('TYPE', key).ok == 'zset' then
                  local tickets = call('ZRANGE', key, 0, -1, 'WITHSCORES')
                  for i = 1, #tickets, 2 do
                    call('ZADD', key, tickets[i + 1] - ARGV[1], tickets[i])
                  end
                end
                redis.call('PEXPIREAT', key, at - ARGV[1])
                moved = moved + 1
              end
            end
            return moved
            """, "");

    private static final String DELETE_COUNTERS = """
            local deleted = 0
            for _, key in ipairs(redis.call('KEYS', '*rl:1:*')) do
              deleted = deleted + redis.call('DEL', key)
            end
            return deleted
            """;

    /** Event loops that the stores of many tests share: to make them anew takes longer than most of the tests. */
    static final ClientResources RESOURCES = ClientResources.create();

    private final RedisClient client = RedisClient.create();
    private final List<StatefulRedisConnection<String, String>> connections;
    private final List<Duration> moves = new CopyOnWriteArrayList<>(List.of(Duration.ZERO));

    RedisTestBed(List<String> uris) {
        this.connections =
                uris.stream().map(uri -> client.connect(RedisURI.create(uri))).toList();
    }

    static RedisTestBed of(RedisProcess process) {
        return new RedisTestBed(List.of(process.uri()));
    }

    /** The only server's commands. */
    RedisCommands<String, String> server() {
        return connections.get(0).sync();
    }

    List<RedisCommands<String, String>> servers() {
        return connections.stream().map(StatefulRedisConnection::sync).toList();
    }

    /** Deletes the counters, and nothing else: the server may be somebody's own. */
    void flush() {
        servers().forEach(server -> server.eval(DELETE_COUNTERS, ScriptOutputType.INTEGER, new String[0]));
    }

    void advance(Duration duration) {
        moves.add(moved().plus(duration));
        String millis = Long.toString(duration.toMillis());
        servers().forEach(server -> {
            try { // exact, where PTTL is told by another moment than TIME if a script is held up in between
                server.eval(MOVE_EXPIRIES.text(), ScriptOutputType.INTEGER, new String[0], millis);
            } catch (RedisCommandExecutionException e) { // Redis 6.2
                String text = MOVE_EXPIRIES.withoutPexpiretime().text();
                server.eval(text, ScriptOutputType.INTEGER, new String[0], millis);
            }
        });
    }

    /** How far time was moved in all: by so much a moment that the servers tell is too early. */
    Duration moved() {
        return moves.get(moves.size() - 1);
    }

    /** The same after each move. */
    List<Duration> moves() {
        return moves;
    }

    /** A server's time now. */
    Instant time() {
        List<String> time = server().time();
        return Instant.ofEpochSecond(Long.parseLong(time.get(0)), Long.parseLong(time.get(1)) * 1000);
    }

    /** The servers' memory, in bytes. */
    long usedMemory() {
        return servers().stream()
                .flatMap(server -> server.info("memory").lines())
                .filter(line -> line.startsWith("used_memory_dataset:"))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(':') + 1)))
                .sum();
    }

    List<String> keys() {
        return servers().stream().flatMap(server -> server.keys("*").stream()).toList();
    }

    /** How many keys would stay for ever. */
    long keysWithoutExpiry() {
        return servers().stream()
                .mapToLong(server -> server.keys("*").stream()
                        .filter(key -> server.pttl(key) == -1 && !key.equals("rl:1:settings"))
                        .count())
                .sum();
    }

    void resetCommandCounts() {
        servers().forEach(RedisCommands::configResetstat);
    }

    /** How often each command ran since the last reset, by the servers' own count; those that scripts ran included. */
    Map<String, Long> commandCounts() {
        Map<String, Long> counts = new TreeMap<>();
        for (RedisCommands<String, String> server : servers()) {
            server.info("commandstats")
                    .lines()
                    .filter(line -> line.startsWith("cmdstat_"))
                    .forEach(line -> {
                        String name = line.substring("cmdstat_".length(), line.indexOf(':'));
                        long calls = Long.parseLong(line.substring(line.indexOf("calls=") + 6, line.indexOf(',')));
                        counts.merge(name, calls, Long::sum);
                    });
        }
        return counts;
    }

    /** How often scripts were called since the last reset. */
    long scriptCalls() {
        Map<String, Long> counts = commandCounts();
        return counts.getOrDefault("evalsha", 0L) + counts.getOrDefault("eval", 0L);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
