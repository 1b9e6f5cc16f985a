package io.github.ratelimit.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A script's reply: a flat array of numbers, and the error texts of single runs. Read once, from start to end, by one thread. */
final class Reply extends CommandOutput<byte[], byte[], Void> {

    static final String NO_REPLY = "Redis answered in a form that no script of this version has";

    private final List<String> errors = new ArrayList<>(0);
    private long[] numbers = new long[8];
    private int size;
    private int read;
    private int errorsRead;

    @SuppressWarnings("NullAway") // there is no output but the reply itself
    Reply() {
        super(ByteArrayCodec.INSTANCE, null);
    }

    @Override
    public void multi(int count) {
        if (count > numbers.length) {
            numbers = Arrays.copyOf(numbers, count);
        }
    }

    @Override
    public void set(long number) {
        if (size == numbers.length) {
            multi(size * 2);
        }
        numbers[size++] = number;
    }

    @Override
    public void set(@Nullable ByteBuffer text) {
        errors.add(text == null ? "a null" : UTF_8.decode(text).toString());
    }

    /** Whether this is the reply to the call of that number. To be asked first. */
    boolean answers(long call) {
        return size > 0 && next() == call;
    }

    /**
     * The next number.
     *
     * @throws Unanswered if there is none
     */
    long next() {
        if (read == size) {
            throw new Unanswered(NO_REPLY);
        }
        return numbers[read++];
    }

    /** The next run's error. */
    String nextError() {
        return errorsRead == errors.size() ? "an error without a text" : errors.get(errorsRead++);
    }

    /** An error of a run that is the server's, such as a full memory, rather than one key's; empty if there is none. */
    String trouble() {
        return errors.stream().filter(ServerErrors::isTroubleOfARun).findFirst().orElse("");
    }

    /** The error of a run; null if there is none. */
    @Nullable
    Unanswered failure() {
        return errors.isEmpty() ? null : Unanswered.rejected(errors.get(0));
    }
}
