package io.github.ratelimit.spring.endpoint;

import io.github.ratelimit.Charge;
import java.util.List;

/** Says what counters are called in Redis. */
@FunctionalInterface
public interface RedisKeyNames {

    /** Where counts are not on Redis, or the store on Redis is not there. */
    RedisKeyNames NONE = charges -> List.of();

    /** A name for each charge, in their order; or none at all. */
    List<String> of(List<Charge> charges);
}
