package io.github.ratelimit.spring.diagnostics;

import io.github.ratelimit.spring.method.MethodLimits;
import java.util.List;

/** The limited places, for the table and the endpoint. Asked after the start only, once all handlers are known. */
public interface LimitedPlaces {

    /** First the rules of paths, then annotated methods. */
    List<LimitedPlace> all();

    /** Leaves the methods that requests are mapped to to the adapter that limits these, also where the class they stand in is no controller. */
    void leaveToAdapter(MethodLimits limits);

    /** Patterns of the paths that are never limited. */
    List<String> excluded();
}
