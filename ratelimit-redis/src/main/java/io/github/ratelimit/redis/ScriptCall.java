package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.ratelimit.remote.Batch;
import io.github.ratelimit.remote.Counter;
import io.github.ratelimit.remote.Reply;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The command that carries a batch: EVALSHA, or EVAL with the script's text. The script returns the call's number, so that the reply to
 * another call is noticed. Belongs to the event loop, as the connection that sends it.
 */
final class ScriptCall extends Command<byte[], byte[], Void> {

    private final RedisConnection connection;
    private final Batch batch;
    private final boolean withText;
    private final long number;

    /** How many servers have named another one for it. */
    final int redirects;

    ScriptCall(RedisConnection connection, Batch batch, Script script, boolean withText, long number, int redirects) {
        super(
                withText ? CommandType.EVAL : CommandType.EVALSHA,
                new Numbers(),
                arguments(batch, connection.keys(), withText ? script.text() : script.sha1(), number));
        this.connection = connection;
        this.batch = batch;
        this.withText = withText;
        this.number = number;
        this.redirects = redirects;
    }

    private static CommandArgs<byte[], byte[]> arguments(Batch batch, RedisKeys names, String script, long number) {
        List<Counter> counters = new ArrayList<>(4);
        LongStream.Builder numbers = LongStream.builder();
        batch.writeTo(counters::add, numbers);
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.add(script).add(counters.size());
        counters.forEach(counter -> arguments.addKey(names.key(counter)));
        arguments.add(number);
        numbers.build().forEach(arguments::add);
        return arguments;
    }

    /** The numbers and errors of a script's reply. */
    private static final class Numbers extends CommandOutput<byte[], byte[], Void> {

        private final Reply reply = new Reply();

        @SuppressWarnings("NullAway") // there is no output but the reply itself
        Numbers() {
            super(ByteArrayCodec.INSTANCE, null);
        }

        @Override
        public void multi(int count) {}

        @Override
        public void set(long number) {
            reply.add(number);
        }

        @Override
        public void set(@Nullable ByteBuffer text) {
            String error = text == null ? "a null" : UTF_8.decode(text).toString();
            reply.add(
                    ServerErrors.explained(error),
                    RedisConnection.meaning(error, ServerErrors.isTroubleOfAGroup(error)));
        }
    }

    Batch batch() {
        return batch;
    }

    boolean hasText() {
        return withText;
    }

    /** The reply; null if it belongs to another call. */
    @Nullable
    Reply reply() {
        Reply reply = ((Numbers) getOutput()).reply;
        return reply.hasNext() && reply.next() == number ? reply : null;
    }

    @Override
    public void complete() {
        if (!isDone()) {
            super.complete();
            connection.ended(this, null);
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean isFirst = !isDone() && super.completeExceptionally(failure);
        if (isFirst) {
            connection.ended(this, failure);
        }
        return isFirst;
    }

    @Override
    public void cancel() {
        if (!isDone()) {
            super.cancel();
            connection.ended(this, new CancellationException("the connection was closed"));
        }
    }
}
