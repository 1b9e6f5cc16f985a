package io.github.ratelimit.spring.autoconfigure.properties;

import io.github.ratelimit.Key;
import io.github.ratelimit.KeyResolver;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpCall;
import java.util.List;

/**
 * A key resolver that was read from names, and remembers them.
 *
 * @param parts the names as they were written
 * @param each what each of them stands for
 * @param resolver what all of them stand for
 */
public record NamedKey(List<String> parts, List<KeyResolver<HttpCall>> each, KeyResolver<HttpCall> resolver)
        implements KeyResolver<HttpCall> {

    public NamedKey {
        parts = List.copyOf(parts);
        each = List.copyOf(each);
    }

    @Override
    public Key resolve(HttpCall call) {
        return resolver.resolve(call);
    }

    @Override
    public Phase phase() {
        return resolver.phase();
    }
}
