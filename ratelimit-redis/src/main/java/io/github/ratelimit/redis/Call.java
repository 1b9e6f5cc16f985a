package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One command to a server: completes with its reply, or with why there is none. Run at most once. Safe for concurrent use. */
final class Call extends CompletableFuture<Reply> {

    /** What is to be done. */
    enum What {
        ACQUIRE,
        REFUND,
        DELETE,
        WRITE_NOTHING
    }

    /** What a script is given, gathered in order. */
    static final class Arguments {

        private final List<byte[]> keys = new ArrayList<>(1);
        private final List<byte[]> numbers = new ArrayList<>(5);

        Arguments key(byte[] key) {
            keys.add(key);
            return this;
        }

        Arguments number(long number) {
            numbers.add(Long.toString(number).getBytes(US_ASCII));
            return this;
        }
    }

    private static final int MOST_REDIRECTS = 3;

    private final What what;
    private final Arguments arguments;
    private final int decisions;
    private final AtomicReference<@Nullable Runnable> onWritten = new AtomicReference<>();
    private volatile int redirects; // written where an answer is read: never at one moment by two

    private Call(What what, Arguments arguments, int decisions) {
        this.what = what;
        this.arguments = arguments;
        this.decisions = decisions;
    }

    static Call acquire(Arguments arguments, int decisions) {
        return new Call(What.ACQUIRE, arguments, decisions);
    }

    static Call refund(Arguments arguments) {
        return new Call(What.REFUND, arguments, 0);
    }

    /** Deletes the keys. */
    static Call delete(Arguments arguments) {
        return new Call(What.DELETE, arguments, 0);
    }

    /** Takes nothing from a counter and tells where it stands. */
    static Call look(byte[] key) {
        return acquire(
                        new Arguments()
                                .number(1)
                                .number(1)
                                .number(0)
                                .key(key)
                                .number(1)
                                .number(1),
                        0)
                .sentToThisServerOnly();
    }

    /** Gives nothing back to a counter. */
    static Call refundNothing(byte[] key) {
        return refund(new Arguments().key(key).number(0).number(1)).sentToThisServerOnly();
    }

    /**
     * Writes a counter if it is there, and it is not. Changes nothing, and is refused by a server that takes no writes: a replica, one without
     * memory, one without its replicas. What the scripts do here is reading, which such servers allow.
     */
    static Call writeNothing(byte[] key) {
        return new Call(What.WRITE_NOTHING, new Arguments().key(key), 0).sentToThisServerOnly();
    }

    private Call sentToThisServerOnly() {
        redirects = MOST_REDIRECTS;
        return this;
    }

    /** A key that tells where it goes. */
    byte[] firstKey() {
        return arguments.keys.get(0);
    }

    /** How many decisions it brings. */
    int decisions() {
        return decisions;
    }

    /** Runs when it is written to a connection, or ends without being written. To be said before it is sent. */
    void onWritten(Runnable listener) {
        onWritten.set(listener);
        Ends.of(this, (reply, failure) -> written());
    }

    private void written() {
        Runnable listener = onWritten.getAndSet(null);
        if (listener != null) {
            listener.run();
        }
    }

    /** Whether it may be sent on to another server, which the one before named without running it. */
    boolean mayBeSentOn() {
        int before = redirects;
        redirects = before + 1;
        return before < MOST_REDIRECTS;
    }

    /** Whether another server was to run it. */
    boolean wasSentOn() {
        return redirects > 0;
    }

    /** The command, which names its script by digest. */
    Command<byte[], byte[], Reply> command(Scripts scripts) {
        CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        return switch (what) {
            case DELETE -> command(CommandType.DEL, args.addKeys(arguments.keys));
            case WRITE_NOTHING ->
                command(
                        CommandType.SET,
                        args.addKeys(arguments.keys).add(0).add("XX").add("PX").add(1));
            default ->
                command(
                        CommandType.EVALSHA,
                        withArguments(args.add(scripts.of(what).sha1())));
        };
    }

    /** The command once more, with the script itself: for a server that does not know it, and so has not run it. */
    Command<byte[], byte[], Reply> commandWithScript(Scripts scripts) {
        if (what == What.DELETE) {
            return command(scripts);
        }
        CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        return command(CommandType.EVAL, withArguments(args.add(scripts.of(what).text())));
    }

    private Command<byte[], byte[], Reply> command(CommandType type, CommandArgs<byte[], byte[]> args) {
        return new Command<>(type, new ReplyOutput(what != What.WRITE_NOTHING), args) {
            @Override
            public void encode(ByteBuf buffer) {
                written();
                super.encode(buffer);
            }
        };
    }

    private CommandArgs<byte[], byte[]> withArguments(CommandArgs<byte[], byte[]> args) {
        return args.add(arguments.keys.size()).addKeys(arguments.keys).addValues(arguments.numbers);
    }
}
