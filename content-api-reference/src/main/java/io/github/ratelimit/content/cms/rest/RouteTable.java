package io.github.ratelimit.content.cms.rest;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;
import org.springframework.util.function.SingletonSupplier;

/** All routes of the interface, in the order of the index. Safe for concurrent use. */
@Component
public final class RouteTable {
    /** Collected for the first request, because some routes describe the table itself. */
    private final SingletonSupplier<List<Route>> all;

    /** Routes without parameters come first, because parameters may match their names. */
    private final SingletonSupplier<List<Route>> searched;

    /**
     * A route that a path leads to.
     *
     * @param route the route
     * @param values of the parameters
     */
    record Match(Route route, Map<String, String> values) {}

    RouteTable(ObjectProvider<RouteSource> sources) {
        this.all = SingletonSupplier.of(() -> sources.orderedStream()
                .flatMap(source -> source.routes().stream())
                .toList());
        this.searched = SingletonSupplier.of(() -> all().stream()
                .sorted(Comparator.comparing(Route::isFixed).reversed())
                .toList());
    }

    /**
     * Lists all routes.
     *
     * @return in the order of the index; cannot be changed
     */
    public List<Route> all() {
        return all.obtain();
    }

    /** Finds the route that a path leads to. */
    Optional<Match> find(String path) {
        for (Route route : searched.obtain()) {
            Optional<Map<String, String>> values = route.match(path);
            if (values.isPresent()) {
                return Optional.of(new Match(route, values.get()));
            }
        }
        return Optional.empty();
    }
}
