package io.github.ratelimit.spring.internal.endpoint;

import io.github.ratelimit.Charge;
import java.util.List;

/** Says what counters are called in a shared store. */
@FunctionalInterface
public interface CounterKeys {

    /** For a store that tells no names. */
    CounterKeys NONE = charges -> List.of();

    /** A name for each charge, in their order; or none at all. */
    List<String> of(List<Charge> charges);
}
