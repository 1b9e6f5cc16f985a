package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads a flat array of numbers and error texts without boxing; anything else is an error of the command. */
final class ReplyOutput extends CommandOutput<byte[], byte[], Reply> {

    private final boolean textsAreErrors;

    ReplyOutput(boolean textsAreErrors) {
        super(ByteArrayCodec.INSTANCE, new Reply());
        this.textsAreErrors = textsAreErrors;
    }

    @Override
    public void multi(int count) {
        output.expect(count);
    }

    @Override
    public void set(long number) {
        output.add(number);
    }

    @Override
    public void set(@Nullable ByteBuffer text) {
        if (textsAreErrors) {
            output.addError(text == null ? "a null" : UTF_8.decode(text).toString());
        }
    }
}
