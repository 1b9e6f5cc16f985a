package io.github.ratelimit.spring.internal.diagnostics;

import java.util.Collection;
import java.util.List;

/** The limited calls of beans' methods. Set once, at the start, before anybody asks. Safe for concurrent use. */
public final class LimitedCalls {

    /**
     * Calls that a limiter limits.
     *
     * @param what for example {@code Mailer.send}
     */
    public record Place(String what, String limiter) {}

    private volatile List<Place> places = List.of();

    /** Sets them; each once, also where a class has several beans. */
    public void set(Collection<Place> places) {
        this.places = places.stream().distinct().toList();
    }

    /** All of them. */
    public List<Place> all() {
        return places;
    }

    /** The calls of one limiter. */
    public List<String> of(String limiter) {
        return places.stream()
                .filter(place -> place.limiter().equals(limiter))
                .map(Place::what)
                .toList();
    }
}
