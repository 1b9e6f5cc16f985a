package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One command to the server: completes with its reply, or with why there is none. Sent at most once. Safe for concurrent use. */
final class Call extends CompletableFuture<Reply> implements Deadlines.Timed {

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

    private final @Nullable Script script;
    private final Arguments arguments;
    private final long deadline;

    private Call(@Nullable Script script, Arguments arguments, long deadline) {
        this.script = script;
        this.arguments = arguments;
        this.deadline = deadline;
    }

    static Call of(Script script, Arguments arguments, long deadline) {
        return new Call(script, arguments, deadline);
    }

    /** Deletes the keys. */
    static Call delete(Arguments arguments, long deadline) {
        return new Call(null, arguments, deadline);
    }

    /** A key that tells where it goes. */
    byte[] firstKey() {
        return arguments.keys.get(0);
    }

    /** The command, which names its script by digest. */
    Command<byte[], byte[], Reply> command() {
        CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        if (script == null) {
            return new Command<>(CommandType.DEL, new ReplyOutput(), args.addKeys(arguments.keys));
        }
        return new Command<>(CommandType.EVALSHA, new ReplyOutput(), withArguments(args.add(script.sha1())));
    }

    /** The command once more, with the script itself: for a server that does not know it, and so has not run it. */
    Command<byte[], byte[], Reply> commandWithScript() {
        if (script == null) {
            throw new IllegalStateException("no script to send");
        }
        CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        return new Command<>(CommandType.EVAL, new ReplyOutput(), withArguments(args.add(script.text())));
    }

    private CommandArgs<byte[], byte[]> withArguments(CommandArgs<byte[], byte[]> args) {
        return args.add(arguments.keys.size()).addKeys(arguments.keys).addValues(arguments.numbers);
    }

    @Override
    public long deadline() {
        return deadline;
    }

    @Override
    public void expire() {
        completeExceptionally(Unanswered.late());
    }
}
