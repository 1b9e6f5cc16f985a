package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Limit;
import io.github.ratelimit.TimeSource;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script, and the command that carries it. The script returns the call's number, so that the reply to another call is
 * noticed. Belongs to the event loop of its server.
 */
abstract class Call implements RedisCommand<byte[], byte[], Void> {

    /** Chosen: a topology that is about to change settles within fewer. */
    private static final int MOST_REDIRECTS = 5;

    private static final byte[] CRLF = {'\r', '\n'};

    private @Nullable Server server;
    private CommandOutput<byte[], byte[], Void> output = new Reply();
    private Scripts scripts = Scripts.USUAL;
    private boolean withText;
    private boolean isDone;
    private long number;
    private long leftAt;
    private boolean late;
    private int redirects;

    /** How many calls of its flush have not ended; null if it does not count as one. */
    private @Nullable AtomicInteger shipment;

    /** The script that it calls. */
    abstract Script script(Scripts scripts);

    /** Its keys and numbers. */
    abstract void writeTo(Arguments arguments);

    /** A key that tells its slot. */
    abstract byte[] firstKey();

    /** How many decisions it brings. */
    abstract int decisions();

    /** Whether no caller waits for it any more. */
    abstract boolean isAbandoned();

    /** Tells the callers. The number was read and is right. */
    abstract void answer(Reply reply, long tookNanos, Standings remembered);

    abstract void fail(RuntimeException why);

    /** Ends what has passed its deadline. */
    abstract void expire(long now);

    /** The smaller calls for a moving slot: the keys of one run may be together. Empty if this is one run. */
    List<Call> runs() {
        return List.of();
    }

    /**
     * Prepares it to be sent, also once more.
     *
     * @param withText whether it brings the script's text instead of the digest
     */
    final void prepare(Server server, Scripts scripts, boolean withText, long number, long now) {
        this.server = server;
        this.scripts = scripts;
        this.withText = withText;
        this.number = number;
        this.leftAt = now;
        this.isDone = false;
        this.late = false;
        this.output = new Reply();
    }

    final void joins(AtomicInteger shipment) {
        this.shipment = shipment;
    }

    /** Leaves the calls of its flush. True once: for the last one. */
    final boolean isLastOfShipment() {
        AtomicInteger of = shipment;
        shipment = null;
        return of != null && of.decrementAndGet() == 0;
    }

    final long number() {
        return number;
    }

    final long leftAt() {
        return leftAt;
    }

    final boolean isLate() {
        return late;
    }

    final void markLate() {
        late = true;
    }

    final Reply reply() {
        return (Reply) output;
    }

    /** Whether it may be sent to another server, after the one before named that server without running it. */
    final boolean mayBeRedirected() {
        return redirects++ < MOST_REDIRECTS;
    }

    final boolean wasRedirected() {
        return redirects > 0;
    }

    /** Keys and numbers of a script. */
    static final class Arguments {

        private final List<byte[]> keys = new ArrayList<>(4);
        private long[] numbers = new long[8];
        private int size;

        Arguments key(byte[] key) {
            keys.add(key);
            return this;
        }

        Arguments number(long number) {
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, size * 2);
            }
            numbers[size++] = number;
            return this;
        }

        private void copyTo(Arguments other) {
            keys.forEach(other::key);
            for (int i = 0; i < size; i++) {
                other.number(numbers[i]);
            }
        }
    }

    // ---- the command

    /** Rule: redis.io, "RESP protocol": an array of bulk strings. */
    @Override
    public final void encode(ByteBuf to) {
        Arguments arguments = new Arguments().number(number);
        writeTo(arguments);
        Script script = script(scripts);
        digits(to.writeByte('*'), 3L + arguments.keys.size() + arguments.size);
        bulk(to.writeBytes(CRLF), (withText ? "EVAL" : "EVALSHA").getBytes(US_ASCII));
        bulk(to, (withText ? script.text() : script.sha1()).getBytes(UTF_8));
        bulk(to, arguments.keys.size());
        arguments.keys.forEach(key -> bulk(to, key));
        for (int i = 0; i < arguments.size; i++) {
            bulk(to, arguments.numbers[i]);
        }
    }

    private static void bulk(ByteBuf to, byte[] bytes) {
        digits(to.writeByte('$'), bytes.length);
        to.writeBytes(CRLF).writeBytes(bytes).writeBytes(CRLF);
    }

    private static void bulk(ByteBuf to, long number) {
        if (number >= 0 && number < 10) {
            digits(to.writeByte('$').writeByte('1').writeBytes(CRLF), number);
            to.writeBytes(CRLF);
        } else {
            bulk(to, Long.toString(number).getBytes(US_ASCII));
        }
    }

    private static void digits(ByteBuf to, long number) {
        if (number >= 0 && number < 10) {
            to.writeByte('0' + (int) number);
        } else {
            to.writeBytes(Long.toString(number).getBytes(US_ASCII));
        }
    }

    @Override
    public final void complete() {
        end(null);
    }

    @Override
    public final boolean completeExceptionally(Throwable failure) {
        return end(failure);
    }

    @Override
    public final void cancel() {
        end(new CancellationException("the connection was closed"));
    }

    private boolean end(@Nullable Throwable failure) {
        Server sentBy = server;
        if (isDone || sentBy == null) {
            return false;
        }
        isDone = true;
        sentBy.ended(this, failure);
        return true;
    }

    @Override
    public final CommandOutput<byte[], byte[], Void> getOutput() {
        return output;
    }

    @Override
    public final void setOutput(CommandOutput<byte[], byte[], Void> output) {
        this.output = output;
    }

    @Override
    @SuppressWarnings("NullAway") // it encodes itself
    public final CommandArgs<byte[], byte[]> getArgs() {
        return null;
    }

    @Override
    public final ProtocolKeyword getType() {
        return withText ? CommandType.EVAL : CommandType.EVALSHA;
    }

    @Override
    public final boolean isCancelled() {
        return false;
    }

    @Override
    public final boolean isDone() {
        return isDone;
    }

    // ---- the kinds

    /** A refund, a reset or a look. */
    static final class Plain extends Call {

        private final Function<Scripts, Script> script;
        private final Arguments arguments;
        private final long deadline;
        private final CompletableFuture<Reply> answer = new CompletableFuture<>();

        private Plain(Function<Scripts, Script> script, Arguments arguments, long deadline) {
            this.script = script;
            this.arguments = arguments;
            this.deadline = deadline;
        }

        private Plain staysHere() {
            super.redirects = MOST_REDIRECTS;
            return this;
        }

        /** Calls the script that gives back and resets: for each key the permits and the window. */
        static Plain refund(Arguments arguments, long deadline) {
            return new Plain(Scripts::refund, arguments, deadline);
        }

        /** Calls the script that settles: for each key what {@link Shapes#writeTo} writes. */
        static Plain settle(int counters, Arguments charges, long deadline) {
            Arguments arguments = new Arguments().number(1).number(counters).number(Shapes.SETTLE);
            charges.copyTo(arguments);
            return new Plain(Scripts::shapes, arguments, deadline);
        }

        /** Runs each step of a decision on a key that no caller has: opens a window, adds to it, reads it and resets it. */
        static List<Plain> look(byte[] key, long deadline) {
            return List.of(
                    decision(key, deadline, 1),
                    decision(key, deadline, 1, 0),
                    refund(new Arguments().key(key).number(0).number(0), deadline)
                            .staysHere());
        }

        private static Plain decision(byte[] key, long deadline, int... costs) {
            Arguments arguments = new Arguments();
            for (int cost : costs) {
                arguments.key(key).number(1).number(1).number(1);
                arguments.number(cost).number(Integer.MAX_VALUE).number(1000);
            }
            return new Plain(Scripts::acquire, arguments, deadline).staysHere();
        }

        CompletableFuture<Reply> answer() {
            return answer;
        }

        @Override
        Script script(Scripts scripts) {
            return script.apply(scripts);
        }

        @Override
        void writeTo(Arguments to) {
            arguments.copyTo(to);
        }

        @Override
        byte[] firstKey() {
            return arguments.keys.get(0);
        }

        @Override
        int decisions() {
            return 0;
        }

        @Override
        boolean isAbandoned() {
            return answer.isDone();
        }

        @Override
        void answer(Reply reply, long tookNanos, Standings remembered) {
            Unanswered failure = reply.failure();
            if (failure == null) {
                answer.complete(reply);
            } else {
                answer.completeExceptionally(failure);
            }
        }

        @Override
        void fail(RuntimeException why) {
            answer.completeExceptionally(why);
        }

        @Override
        void expire(long now) {
            if (deadline - now <= 0) {
                answer.completeExceptionally(Unanswered.late());
            }
        }
    }

    /** Decisions that travel together. */
    static final class Decisions extends Call {

        private final boolean shaped;
        private final List<Run> runs = new ArrayList<>(2);
        private @Nullable Map<Counter, Run> last;
        private int decisions;

        /**
         * Creates it.
         *
         * @param shaped whether all of them bring a limit of another shape than the fixed window
         */
        Decisions(boolean shaped) {
            this.shaped = shaped;
        }

        /** Adds it to the run before, unless a run between them shares a counter with it: each counter keeps its order. */
        void add(Ask ask) {
            decisions++;
            Counter[] counters = ask.counters();
            if (runs.isEmpty()) {
                runs.add(new Run(ask));
                return;
            }
            Map<Counter, Run> latest = last;
            if (latest == null) {
                latest = new HashMap<>();
                last = latest;
                for (Counter counter : firstKeyOwner().counters()) {
                    latest.put(counter, runs.get(0));
                }
            }
            Run run = latest.get(counters[0]);
            for (Counter counter : counters) {
                run = run == latest.get(counter) ? run : null;
            }
            if (run != null && run.takes(ask)) {
                return;
            }
            run = new Run(ask);
            runs.add(run);
            for (Counter counter : counters) {
                latest.put(counter, run);
            }
        }

        private Ask firstKeyOwner() {
            return runs.get(0).first();
        }

        @Override
        Script script(Scripts scripts) {
            return shaped ? scripts.shapes() : scripts.acquire();
        }

        @Override
        void writeTo(Arguments to) {
            for (int from = 0; from < runs.size(); ) {
                Run first = runs.get(from);
                int end = from + 1;
                while (end < runs.size() && first.differsInKeysOnly(runs.get(end))) {
                    end++;
                }
                to.number(end - from);
                first.writeTo(to);
                for (; from < end; from++) {
                    for (Counter counter : runs.get(from).first().counters()) {
                        to.key(counter.redisKey());
                    }
                }
            }
        }

        @Override
        byte[] firstKey() {
            return firstKeyOwner().counters()[0].redisKey();
        }

        @Override
        int decisions() {
            return decisions;
        }

        @Override
        boolean isAbandoned() {
            return runs.stream().allMatch(Run::isAbandoned);
        }

        @Override
        void answer(Reply reply, long tookNanos, Standings remembered) {
            long told = reply.next();
            // Without an open window no end depends on it, and this machine's calendar will do.
            long now = told != 0 ? told : TimeSource.system().instant().toEpochMilli();
            for (Run run : runs) {
                run.answer(reply, now, tookNanos, remembered);
            }
        }

        @Override
        void fail(RuntimeException why) {
            runs.forEach(run -> run.fail(why));
        }

        @Override
        void expire(long now) {
            runs.forEach(run -> run.expire(now));
        }

        @Override
        List<Call> runs() {
            if (runs.size() == 1) {
                return List.of();
            }
            List<Call> alone = new ArrayList<>();
            for (Run run : runs) {
                Decisions call = new Decisions(shaped);
                run.asks().forEach(call::add);
                alone.add(call);
            }
            return alone;
        }
    }

    /** Decisions that ask the same. The script decides them as one: the allowed ones come first. */
    private static final class Run {

        private final List<Ask> asks = new ArrayList<>(1);

        Run(Ask first) {
            asks.add(first);
        }

        Ask first() {
            return asks.get(0);
        }

        List<Ask> asks() {
            return asks;
        }

        boolean takes(Ask ask) {
            return !ask.isShaped()
                    && Arrays.equals(ask.counters(), first().counters())
                    && first().asksTheSameAs(ask)
                    && asks.add(ask);
        }

        boolean isAbandoned() {
            return asks.stream().allMatch(Ask::hasEnded);
        }

        /** Whether one description in the script's arguments serves both. */
        boolean differsInKeysOnly(Run other) {
            List<Charge> mine = first().charges();
            List<Charge> its = other.first().charges();
            if (first().isShaped()
                    || asks.size() != other.asks.size()
                    || mine.size() != its.size()
                    || !first().asksTheSameAs(other.first())) {
                return false;
            }
            for (int i = 0; i < mine.size(); i++) {
                if (!mine.get(i).limit().window().equals(its.get(i).limit().window())) {
                    return false;
                }
            }
            return true;
        }

        void writeTo(Arguments to) {
            to.number(first().counters().length);
            if (first().isShaped()) {
                to.number(first().isRejected() ? Shapes.REJECT : Shapes.TAKE);
                first().charges().forEach(charge -> Shapes.writeTo(to, charge, charge.cost(), 0, 0));
                return;
            }
            to.number(asks.size());
            for (Charge charge : first().charges()) {
                to.number(charge.cost())
                        .number(charge.limit().permits())
                        .number(charge.limit().window().toMillis());
            }
        }

        void answer(Reply reply, long now, long tookNanos, Standings remembered) {
            long allowed = reply.next();
            if (allowed < 0) {
                fail(new Unanswered("Redis could not decide: " + ServerErrors.explained(reply.nextError())));
                return;
            }
            List<Charge> charges = first().charges();
            Standing[] before = new Standing[charges.size()];
            for (int i = 0; i < before.length; i++) {
                long used = reply.next();
                if (used < 0) {
                    throw new Unanswered(Reply.NO_REPLY);
                }
                Limit limit = charges.get(i).limit();
                before[i] = first().isShaped()
                        ? Standing.of(used, reply.next(), now, limit, reply.next())
                        : Standing.of(used, reply.next(), now, limit);
            }
            if (first().isShaped()) { // alone, and nothing is remembered of it: other shapes have room again before
                // their end
                remembered.forget(first().counters());
                first().answer(Standing.after(before, charges, first().isRejected() ? 0 : allowed), allowed > 0);
                return;
            }
            long rememberNanos = 0;
            for (Ask ask : asks) {
                rememberNanos = Math.max(rememberNanos, ask.rememberNanos());
            }
            // Before the callers are told: the next request of a rejected one is answered from here.
            boolean rejected = allowed < asks.size();
            remembered.learn(first(), Standing.after(before, charges, allowed), rejected, rememberNanos, tookNanos);
            for (int i = 0; i < asks.size(); i++) {
                long taken = Math.min(i + 1L, allowed);
                asks.get(i).answer(Standing.after(before, charges, taken), i < allowed);
            }
        }

        void fail(RuntimeException why) {
            asks.forEach(ask -> ask.fail(why));
        }

        void expire(long now) {
            for (Ask ask : asks) {
                if (ask.deadline() - now <= 0) {
                    ask.expire();
                }
            }
        }
    }
}
