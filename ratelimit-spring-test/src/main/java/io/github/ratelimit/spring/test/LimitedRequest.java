package io.github.ratelimit.spring.test;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A request that a test sends again and again, by any client. */
@FunctionalInterface
public interface LimitedRequest {

    /**
     * What came back.
     *
     * @param status for example 429
     * @param fields the first value of a header field by its name, in any case; null if there is none
     */
    record Answer(int status, Function<String, @Nullable String> fields) {

        /** The first value of a header field; null if there is none. */
        @Nullable
        String field(String name) {
            return fields.apply(name);
        }
    }

    /**
     * Sends it once.
     *
     * @throws Exception if no answer comes: the test fails with it
     */
    Answer send() throws Exception;
}
