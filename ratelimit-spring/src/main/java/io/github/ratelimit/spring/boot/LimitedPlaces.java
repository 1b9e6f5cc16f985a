package io.github.ratelimit.spring.boot;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.spring.method.MethodLimits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is limited where, for whoever shows it. Asked after the start only, once all handlers are known. */
interface LimitedPlaces {

    /**
     * A place that a call comes to.
     *
     * @param place where its limiter limits
     * @param unlimited why it does not limit the call all the same; null: it does
     */
    record Met(LimitedPlace place, @Nullable String unlimited) {}

    /** First the rules of paths, then annotated methods. */
    List<LimitedPlace> all();

    /** Leaves the methods that requests are mapped to to the adapter that limits these, also where the class they stand in is no controller. */
    void leaveToAdapter(MethodLimits limits);

    /** Patterns of the paths that are never limited. */
    List<String> excluded();

    /** Whether the path of a call is one of those. */
    boolean isExcluded(HttpCall call);

    /** The places that a call comes to, in the order of {@link #all()}: rules whose pattern matches its path, and the method that it is mapped to. */
    List<Met> met(HttpCall call);
}
