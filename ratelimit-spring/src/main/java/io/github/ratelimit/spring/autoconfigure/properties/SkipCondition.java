package io.github.ratelimit.spring.autoconfigure.properties;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import java.util.function.Predicate;

/**
 * Which requests a rule does not apply to.
 *
 * @param text as it was written
 * @param holds whether a request is one of them
 * @param phase the one that this is known in first
 */
record SkipCondition(String text, Predicate<HttpCall> holds, Phase phase) implements Predicate<HttpCall> {

    @Override
    public boolean test(HttpCall call) {
        return holds.test(call);
    }
}
