package io.github.ratelimit.redis;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.redis.RedisProcess.Version;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the scripts do on every server that can be started here, in both forms, when the server rejects something. */
class ServersTest {

    /** How a script asks for the end of a window. */
    enum Form {
        PEXPIRETIME,
        PTTL_AND_TIME;

        Script of(Script script) {
            return this == PEXPIRETIME ? script : script.withoutPexpiretime();
        }
    }

    private static final String NUMBER = "7";
    private static final long WINDOW = 60_000;
    private static final long LEFT = 30_000;
    private static final long MOST = (1L << 53) - 1;
    private static final long SETTLE = 0;
    private static final long TAKE = 1;

    static Stream<Arguments> serversAndForms() {
        return Version.available().stream()
                .flatMap(version -> Stream.of(Form.values())
                        .filter(form -> form == Form.PTTL_AND_TIME || version.knowsPexpiretime())
                        .map(form -> Arguments.of(version, form)));
    }

    static List<Version> servers() {
        return Version.available();
    }

    /** One run: so many requests of this cost on these counters, of which each permits five. */
    private record Run(int requests, long cost, List<String> keys) {

        static Run of(String... keys) {
            return new Run(1, 1, List.of(keys));
        }

        Run requests(int count) {
            return new Run(count, cost, keys);
        }

        Run cost(long other) {
            return new Run(requests, other, keys);
        }

        private Stream<String> arguments() {
            return Stream.concat(
                    LongStream.of(1, keys.size(), requests, TAKE).mapToObj(Long::toString),
                    keys.stream().flatMap(key -> Stream.of(Long.toString(cost), "5", Long.toString(WINDOW), "0")));
        }
    }

    /** A server, somebody who may do everything, and a user who may not. */
    private static final class Bed implements AutoCloseable {

        private final RedisProcess process;
        private final RedisClient client = RedisClient.create();
        private final RedisCommands<String, String> all;
        private final Form form;

        Bed(Version version, Form form) {
            this.process = RedisProcess.start(version);
            this.all = client.connect(RedisURI.create(process.uri())).sync();
            this.form = form;
        }

        RedisCommands<String, String> userWithout(String command) {
            return user("reset on >secret ~* +@all -" + command);
        }

        RedisCommands<String, String> user(String rules) {
            CommandArgs<String, String> args =
                    new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add("user");
            for (String rule : rules.split(" ")) {
                args.add(rule);
            }
            all.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
            return client.connect(RedisURI.create("redis://user:secret@127.0.0.1:" + process.port()))
                    .sync();
        }

        /** The reply's parts after its number, or the error. */
        List<Object> acquire(RedisCommands<String, String> by, Run... runs) {
            return eval(
                    by,
                    Stream.of(runs).flatMap(run -> run.keys.stream()).toList(),
                    Stream.of(runs).flatMap(Run::arguments).toList());
        }

        List<Object> refund(RedisCommands<String, String> by, String key, long cost, long window) {
            LongStream arguments = LongStream.of(1, 1, 1, SETTLE, -cost, 5, WINDOW, 0, 0, 0, window);
            return eval(by, List.of(key), arguments.mapToObj(Long::toString).toList());
        }

        private List<Object> eval(RedisCommands<String, String> by, List<String> keys, List<String> arguments) {
            String text = form.of(Script.USUAL).text();
            List<String> numbered =
                    Stream.concat(Stream.of(NUMBER), arguments.stream()).toList();
            try {
                List<Object> reply = by.eval(
                        text, ScriptOutputType.MULTI, keys.toArray(String[]::new), numbered.toArray(String[]::new));
                assertThat(reply.get(0)).hasToString(NUMBER);
                return reply.subList(1, reply.size());
            } catch (RedisCommandExecutionException e) {
                return List.of(-1L, String.valueOf(e.getMessage()));
            }
        }

        /** Windows that are open, one of them used up; and a counter that somebody made persist. */
        void begin() {
            all.flushall();
            all.set("open", "3", SetArgs.Builder.px(LEFT));
            all.set("another", "1", SetArgs.Builder.px(LEFT));
            all.set("empty", "0", SetArgs.Builder.px(LEFT));
            all.set("full", "5", SetArgs.Builder.px(LEFT));
            all.set("persistent", "2");
        }

        /** Every key's value, and whether it expires. */
        Map<String, String> state() {
            Map<String, String> state = new TreeMap<>();
            for (String key : all.keys("*")) {
                String value = all.type(key).equals("string") ? all.get(key) : all.type(key);
                state.put(key, value + (all.pttl(key) < 0 ? " for ever" : ""));
            }
            return state;
        }

        @Override
        public void close() {
            client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
            process.close();
        }
    }

    private static final List<Run[]> CALLS = List.of(
            calls(Run.of("open")),
            calls(Run.of("fresh")),
            calls(Run.of("open", "fresh")),
            calls(Run.of("fresh", "open")),
            calls(Run.of("open", "another", "fresh", "fresh2")),
            calls(Run.of("open", "full")),
            calls(Run.of("fresh", "full")),
            calls(Run.of("persistent")),
            calls(Run.of("open", "persistent", "fresh")),
            calls(Run.of("persistent", "full")),
            calls(Run.of("open", "another", "fresh").requests(9)),
            calls(Run.of("persistent", "fresh").requests(9)),
            calls(Run.of("open", "fresh", "persistent").cost(0)),
            calls(Run.of("open", "fresh", "persistent").cost(6)),
            calls(
                    Run.of("open"),
                    Run.of("fresh"),
                    Run.of("another", "persistent"),
                    Run.of("fresh2").cost(0)));

    private static Run[] calls(Run... runs) {
        return runs;
    }

    /** Of each run: what is replied, without times; and what becomes of its counters. */
    private static Map<String, String> onlyOf(Run run, Map<String, String> state) {
        Map<String, String> own = new TreeMap<>(state);
        own.keySet().retainAll(new HashSet<>(run.keys));
        return own;
    }

    private static List<Boolean> failures(List<Object> reply, Run[] runs) {
        if (reply.get(0).equals(-1L)) {
            return Collections.nCopies(runs.length, true);
        }
        List<Boolean> failures = new ArrayList<>();
        int at = 1;
        for (Run run : runs) {
            boolean failed = reply.get(at).equals(-1L);
            failures.add(failed);
            at += failed ? 2 : 1 + 3 * run.keys.size();
        }
        assertThat(reply).hasSize(at);
        return failures;
    }

    /** Whichever command is missing, a run is decided as with all of them, or fails and changes nothing. */
    @ParameterizedTest
    @MethodSource("serversAndForms")
    void missingCommandLeavesNothingHalfDone(Version version, Form form) {
        List<String> commands = new ArrayList<>(List.of("get", "set", "time"));
        commands.add(form == Form.PEXPIRETIME ? "pexpiretime" : "pttl");
        Set<String> needed = new HashSet<>();
        try (Bed bed = new Bed(version, form)) {
            for (String command : commands) {
                RedisCommands<String, String> user = bed.userWithout(command);
                for (Run[] runs : CALLS) {
                    bed.begin();
                    Map<String, String> before = bed.state();
                    List<Boolean> never = failures(bed.acquire(bed.all, runs), runs);
                    assertThat(never).doesNotContain(true);
                    Map<String, String> decided = bed.state();

                    bed.begin();
                    List<Object> reply = bed.acquire(user, runs);
                    Map<String, String> after = bed.state();
                    String what = "without %s, %s: %s"
                            .formatted(
                                    command, Stream.of(runs).map(Run::toString).collect(joining()), reply);
                    List<Boolean> failures = failures(reply, runs);
                    for (int i = 0; i < runs.length; i++) {
                        assertThat(onlyOf(runs[i], after))
                                .as(what)
                                .isEqualTo(onlyOf(runs[i], failures.get(i) ? before : decided));
                    }
                    if (failures.contains(true)) {
                        needed.add(command);
                        assertThat(reply.toString()).containsAnyOf("can't run this command", "ACL failure in script");
                    }
                    after.remove("persistent");
                    assertThat(after.values()).as(what).noneMatch(value -> value.contains("for ever"));
                }
            }
            assertThat(needed).as("those that are needed at all").containsExactlyInAnyOrderElementsOf(commands);
        }
    }

    @ParameterizedTest
    @MethodSource("serversAndForms")
    void missingCommandLeavesNothingHalfGivenBack(Version version, Form form) {
        List<String> commands = new ArrayList<>(List.of("get", "set", "time"));
        commands.add(form == Form.PEXPIRETIME ? "pexpiretime" : "pttl");
        try (Bed bed = new Bed(version, form)) {
            bed.begin();
            for (String command : commands) {
                RedisCommands<String, String> user = bed.userWithout(command);
                bed.acquire(bed.all, Run.of("fresh"));
                long window = -(long) bed.acquire(bed.all, Run.of("fresh")).get(3);
                Map<String, String> before = bed.state();
                assertThat(bed.refund(user, "fresh", 1, Math.abs(window)))
                        .as(command)
                        .contains(-1L);
                assertThat(bed.state()).isEqualTo(before);

                bed.refund(bed.all, "fresh", 2, -Math.abs(window));
                assertThat(bed.state()).doesNotContainKey("fresh");
            }

            RedisCommands<String, String> user = bed.userWithout("del");
            long window = -(long) bed.acquire(bed.all, Run.of("fresh")).get(3);
            assertThat(bed.refund(user, "fresh", 1, -window)).contains(-1L);
            assertThat(bed.state()).as("it ends by itself").containsEntry("fresh", "1");
        }
    }

    /** What is left of a run whose first write is rejected: nothing, though others of the same call are decided. */
    @ParameterizedTest
    @MethodSource("serversAndForms")
    void fullOrReadOnlyServerIsLeftAsItWas(Version version, Form form) {
        try (Bed bed = new Bed(version, form)) {
            bed.begin();
            Map<String, String> before = bed.state();
            long window = (long) bed.acquire(bed.all, Run.of("open").cost(0)).get(3);

            bed.all.configSet("maxmemory", "1");
            assertRejected(bed, window, "OOM ");
            assertThat(bed.state()).isEqualTo(before);
            bed.all.configSet("maxmemory", "0");

            bed.all.replicaof("127.0.0.1", 1);
            assertRejected(bed, window, "READONLY ");
            assertThat(bed.state()).isEqualTo(before);
        }
    }

    private static void assertRejected(Bed bed, long window, String code) {
        for (Run[] runs : CALLS.subList(0, 5)) {
            List<Object> reply = bed.acquire(bed.all, runs);
            assertThat(failures(reply, runs)).containsExactly(true);
            assertTold(String.valueOf(reply.get(2)), code);
        }
        List<Object> reply = bed.refund(bed.all, "open", 1, window);
        assertThat(reply.get(1)).isEqualTo(-1L);
        assertTold(String.valueOf(reply.get(2)), code);
    }

    private static void assertTold(String error, String code) {
        assertThat(error).contains(code);
        assertThat(ServerErrors.isTrouble(error)).as(error).isTrue();
        assertThat(ServerErrors.isReplica(error)).as(error).isEqualTo(code.startsWith("READONLY"));
        assertThat(ServerErrors.lacksPexpiretime(error)).as(error).isFalse();
    }

    @ParameterizedTest
    @MethodSource("serversAndForms")
    void keyThatIsNoCounterFailsItsOwnRunAndChangesNothing(Version version, Form form) {
        try (Bed bed = new Bed(version, form)) {
            for (boolean expires : new boolean[] {true, false}) {
                bed.begin();
                bed.all.rpush("no counter", "a");
                bed.all.set("word", "a");
                if (expires) {
                    bed.all.pexpire("no counter", LEFT);
                    bed.all.pexpire("word", LEFT);
                }
                Map<String, String> before = bed.state();
                for (String key : List.of("no counter", "word")) {
                    for (long cost : new long[] {0, 1}) {
                        Run run = Run.of("open", "fresh", "persistent", key).cost(cost);
                        List<Object> reply = bed.acquire(bed.all, run);
                        assertThat(reply.get(1)).as("%s: %s", run, reply).isEqualTo(-1L);
                        assertThat(ServerErrors.isTroubleOfAGroup(String.valueOf(reply.get(2))))
                                .as("%s: %s", run, reply)
                                .isFalse();
                        assertThat(bed.state()).isEqualTo(before);
                    }
                }
                Run[] runs = {Run.of("open"), Run.of("open", "word"), Run.of("open")};
                assertThat(failures(bed.acquire(bed.all, runs), runs)).containsExactly(false, true, false);
                assertThat(bed.state()).containsEntry("open", "5");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("serversAndForms")
    void counterThatSomebodyMadePersistHasAWindowAgain(Version version, Form form) {
        try (Bed bed = new Bed(version, form)) {
            for (long cost : new long[] {0, 1, 4, 6}) {
                bed.begin();
                List<Object> reply = bed.acquire(bed.all, Run.of("persistent").cost(cost));
                long now = (long) reply.get(0);
                long allowed = cost < 4 ? 1 : 0;
                long retry = allowed > 0 || cost > 5 ? 0 : WINDOW; // a cost above the permits never fits
                assertThat(reply).containsExactly(now, allowed, 2L, -(now + WINDOW), retry);
                assertThat(bed.state()).containsEntry("persistent", Long.toString(2 + allowed * cost));
            }
        }
    }

    /** A refund goes by it. */
    @ParameterizedTest
    @MethodSource("serversAndForms")
    void everyAnswerTellsTheSameEndOfAWindow(Version version, Form form) {
        try (Bed bed = new Bed(version, form)) {
            String endsTold = form.of(new Script("""
                    local call = redis.call
                    local first = call('PEXPIRETIME', KEYS[1])
                    for i = 1, 5000 do
                      local at = call('PEXPIRETIME', KEYS[1])
                      if at ~= first then
                        return at
                      end
                    end
                    return first
                    """, "")).text();
            long opened = -(long) bed.acquire(bed.all, Run.of("fresh")).get(3);
            assertThat(bed.acquire(bed.all, Run.of("fresh").cost(0)).get(3)).isEqualTo(opened);
            for (int i = 0; i < 20; i++) { // long enough that many milliseconds begin between two commands
                assertThat(bed.all.<Long>eval(endsTold, ScriptOutputType.INTEGER, "fresh"))
                        .isEqualTo(opened - 1);
            }
            assertThat(bed.all.pttl("fresh")).isBetween(1L, WINDOW - 1);
            if (version.knowsPexpiretime()) {
                assertThat(bed.all.pexpiretime("fresh")).isEqualTo(opened - 1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("serversAndForms")
    void mostThatALimitPermitsIsCountedExactly(Version version, Form form) {
        try (Bed bed = new Bed(version, form)) {
            List<String> take =
                    List.of("1", "1", "1", "1", Long.toString(MOST), Long.toString(MOST), Long.toString(WINDOW), "0");
            List<String> one = List.of("1", "1", "1", "1", "1", Long.toString(MOST), Long.toString(WINDOW), "0");
            long window = -(long) bed.eval(bed.all, List.of("most"), take).get(3);
            assertThat(bed.state()).containsEntry("most", Long.toString(MOST));
            assertThat(bed.eval(bed.all, List.of("most"), one).subList(1, 4)).containsExactly(0L, MOST, window);
            assertThat(bed.state()).containsEntry("most", Long.toString(MOST));

            bed.refund(bed.all, "most", 1, window);
            assertThat(bed.eval(bed.all, List.of("most"), one).subList(1, 4)).containsExactly(1L, MOST - 1, window);
        }
    }

    /** What is sent before anything else, so that a connection knows its form. */
    @ParameterizedTest
    @MethodSource("servers")
    void trialOfTheFirstFormTellsWhetherTheSecondIsNeeded(Version version) {
        Run trial = Run.of("nobody's").cost(0);
        try (Bed first = new Bed(version, Form.PEXPIRETIME)) {
            List<Object> reply = first.acquire(first.all, trial);
            assertThat(reply.get(0).equals(-1L)).isNotEqualTo(version.knowsPexpiretime());
            if (version.knowsPexpiretime()) {
                reply = first.acquire(first.userWithout("pexpiretime"), trial);
                assertThat(ServerErrors.isTrouble(String.valueOf(reply.get(1)))).isTrue();
            }
            assertThat(ServerErrors.lacksPexpiretime(String.valueOf(reply.get(1))))
                    .as("%s", reply)
                    .isTrue();

            String forbidden = String.valueOf(
                    first.acquire(first.userWithout("eval"), trial).get(1));
            assertThat(forbidden).startsWith("NOPERM");
            assertThat(ServerErrors.lacksPexpiretime(forbidden)).as(forbidden).isFalse();
            assertThat(first.all.keys("*")).isEmpty();
        }
        try (Bed second = new Bed(version, Form.PTTL_AND_TIME)) {
            if (version.knowsPexpiretime()) {
                RedisCommands<String, String> user = second.userWithout("pexpiretime");
                assertThat(second.acquire(user, trial).get(1)).isEqualTo(1L);
                assertThat(second.acquire(user, Run.of("fresh")).get(1)).isEqualTo(1L);
            }
            assertThat(second.acquire(second.all, trial).get(1)).isEqualTo(1L);
            assertThat(second.acquire(second.userWithout("time"), trial).get(0))
                    .as("what is forbidden is not PEXPIRETIME")
                    .isEqualTo(-1L);
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void commandThatTheServerDoesNotKnowIsToldFromOthers(Version version) {
        try (Bed bed = new Bed(version, Form.PTTL_AND_TIME)) {
            assertThatThrownBy(() -> bed.all.eval("return redis.call('NEWER', 'a')", ScriptOutputType.VALUE))
                    .satisfies(
                            failure -> assertThat(ServerErrors.lacksPexpiretime(String.valueOf(failure.getMessage())))
                                    .as(failure.getMessage())
                                    .isTrue());
            String caught = bed.all.eval("return redis.pcall('NEWER', 'a').err", ScriptOutputType.VALUE);
            assertThat(ServerErrors.lacksPexpiretime(caught)).as(caught).isTrue();
            assertThat(ServerErrors.explained(caught)).contains("6.2 or newer");
            assertThatThrownBy(() -> bed.all.dispatch(
                            CommandType.PEXPIRETIME,
                            new StatusOutput<>(StringCodec.UTF8),
                            new CommandArgs<>(StringCodec.UTF8)))
                    .satisfies(
                            failure -> assertThat(ServerErrors.lacksPexpiretime(String.valueOf(failure.getMessage())))
                                    .as("no script's")
                                    .isFalse());
        }
    }
}
