package io.github.ratelimit.content.cms.rest;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** All routes of the interface, in the order of the index. Immutable once made; safe for concurrent use. */
@Component
public final class RouteTable {
    /** Routes are asked for when the first request comes: some of them describe the table itself. */
    private final ObjectProvider<RouteSource> sources;

    private volatile Routes known = new Routes(List.of(), Map.of(), Map.of());

    /** The routes, and the two ways to find one. */
    private record Routes(List<Route> all, Map<String, Route> fixed, Map<Integer, List<Route>> shaped) {}

    /**
     * A route that a path leads to.
     *
     * @param route the route
     * @param path the values of its named segments
     * @param canonical the path as it is declared: what limits and caches know it by, whatever its letter case was
     */
    public record Match(Route route, Map<String, String> path, String canonical) {}

    RouteTable(ObjectProvider<RouteSource> sources) {
        this.sources = sources;
    }

    /**
     * Lists all routes.
     *
     * @return in the order of the index; cannot be changed
     */
    public List<Route> all() {
        return routes().all();
    }

    /**
     * Finds the route that a path leads to.
     *
     * @param path such as {@code /cms/v2/posts/7}; no slash at its end
     * @return empty where no route has that shape
     */
    public Optional<Match> find(String path) {
        if (!path.startsWith("/")) {
            return Optional.empty();
        }
        List<String> segments = RoutePattern.split(path);
        Routes routes = routes();
        Route fixed = routes.fixed().get(path.toLowerCase(Locale.ROOT));
        if (fixed != null && fixed.match(segments).isPresent()) {
            return Optional.of(new Match(fixed, Map.of(), fixed.canonical(segments)));
        }
        for (Route route : routes.shaped().getOrDefault(segments.size(), List.of())) {
            Optional<Map<String, String>> values = route.match(segments);
            if (values.isPresent()) {
                return Optional.of(new Match(route, values.get(), route.canonical(segments)));
            }
        }
        return Optional.empty();
    }

    private Routes routes() {
        Routes current = known;
        if (current.all().isEmpty()) {
            current = collect();
            known = current;
        }
        return current;
    }

    private Routes collect() {
        List<Route> all = sources.orderedStream()
                .flatMap(source -> source.routes().stream())
                .toList();
        Map<String, Route> fixed = new HashMap<>();
        Map<Integer, List<Route>> shaped = new HashMap<>();
        for (Route route : all) {
            if (route.isFixed()) {
                if (fixed.put(route.pattern().toLowerCase(Locale.ROOT), route) != null) {
                    throw new IllegalStateException("route " + route.pattern() + " is declared twice");
                }
            } else {
                shaped.computeIfAbsent(route.length(), length -> new ArrayList<>())
                        .add(route);
            }
        }
        return new Routes(all, fixed, shaped);
    }
}
