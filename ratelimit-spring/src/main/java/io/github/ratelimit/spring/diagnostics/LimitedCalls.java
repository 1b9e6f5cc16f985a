package io.github.ratelimit.spring.diagnostics;

import io.github.ratelimit.http.client.OutgoingLimit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The limited calls beside requests: calls of beans' methods, and calls to other servers.
 *
 * <p>Filled once, at the start, before anybody asks. Safe for concurrent use.
 */
public final class LimitedCalls {

    /**
     * Calls that a limiter limits.
     *
     * @param what for example {@code Mailer.send}, or {@code calls by githubLimit}
     */
    public record Place(String what, String limiter) {}

    private volatile List<Place> places = List.of();

    /** Remembers the methods, and looks for the limits of outgoing calls among the beans that there are. Makes no bean. */
    public void find(Collection<Place> methods, ConfigurableListableBeanFactory beans) {
        Set<Place> found = new LinkedHashSet<>(methods); // once, also where a class has several beans
        for (String name : beans.getBeanNamesForType(OutgoingLimit.class, true, false)) {
            if (beans.getSingleton(name) instanceof OutgoingLimit limit) {
                found.add(new Place("calls by " + name, limit.limiter()));
            }
        }
        places = List.copyOf(found);
    }

    /** All of them: first methods, then outgoing calls. */
    public List<Place> all() {
        return places;
    }

    /** The calls of one limiter. */
    public List<String> of(String limiter) {
        List<String> whats = new ArrayList<>();
        for (Place place : places) {
            if (place.limiter().equals(limiter)) {
                whats.add(place.what());
            }
        }
        return whats;
    }
}
