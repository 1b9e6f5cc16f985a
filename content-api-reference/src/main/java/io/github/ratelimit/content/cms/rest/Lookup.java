package io.github.ratelimit.content.cms.rest;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Looks up things of one kind, each once in a request, whoever asks: permission, handler, links, and what is embedded.
 *
 * <p>What was found is kept with the request, and forgotten after a write. Safe for concurrent use.
 *
 * @param <K> names a thing
 * @param <V> the thing
 */
public final class Lookup<K, V> {
    private final BiFunction<RestRequest, K, Optional<V>> one;
    private final BiFunction<RestRequest, Collection<K>, Map<K, V>> several;

    private Lookup(
            BiFunction<RestRequest, K, Optional<V>> one, BiFunction<RestRequest, Collection<K>, Map<K, V>> several) {
        this.one = one;
        this.several = several;
    }

    /**
     * Finds several things in one look.
     *
     * @param several finds things; what is not there is missing
     * @return the look-up
     * @param <K> names a thing
     * @param <V> the thing
     */
    public static <K, V> Lookup<K, V> ofSeveral(Function<Collection<K>, Map<K, V>> several) {
        return ofRequests((request, keys) -> several.apply(keys));
    }

    /**
     * Finds several things in one look, on behalf of a request.
     *
     * @param several finds things; what is not there is missing
     * @return the look-up
     * @param <K> names a thing
     * @param <V> the thing
     */
    public static <K, V> Lookup<K, V> ofRequests(BiFunction<RestRequest, Collection<K>, Map<K, V>> several) {
        return new Lookup<>(
                (request, key) ->
                        Optional.ofNullable(several.apply(request, List.of(key)).get(key)),
                several);
    }

    /**
     * Finds things in the way that suits their number.
     *
     * @param one finds a thing; empty where there is none
     * @param several finds things; what is not there is missing
     * @return the look-up
     * @param <K> names a thing
     * @param <V> the thing
     */
    public static <K, V> Lookup<K, V> of(Function<K, Optional<V>> one, Function<Collection<K>, Map<K, V>> several) {
        return new Lookup<>((request, key) -> one.apply(key), (request, keys) -> several.apply(keys));
    }

    /**
     * Finds a thing.
     *
     * @param request keeps it
     * @param key names it
     * @return empty where there is none
     */
    public Optional<V> find(RestRequest request, K key) {
        return request.found().by(this).computeIfAbsent(key, unknown -> one.apply(request, unknown));
    }

    /**
     * Finds several things; those that are not known yet in one look.
     *
     * @param request keeps them
     * @param keys name them
     * @return what is not there is missing
     */
    public Map<K, V> findAll(RestRequest request, Collection<K> keys) {
        if (keys.size() == 1) {
            K key = keys.iterator().next();
            return find(request, key).map(value -> Map.of(key, value)).orElse(Map.of());
        }
        Map<K, Optional<V>> known = request.found().by(this);
        Set<K> unknown = new LinkedHashSet<>(keys);
        unknown.removeAll(known.keySet());
        if (!unknown.isEmpty()) {
            Map<K, V> found = several.apply(request, unknown);
            unknown.forEach(key -> known.put(key, Optional.ofNullable(found.get(key))));
        }
        Map<K, V> all = new HashMap<>();
        keys.forEach(key -> known.getOrDefault(key, Optional.empty()).ifPresent(value -> all.put(key, value)));
        return all;
    }

    /**
     * Keeps what a write made of a thing, also when everything else is forgotten because of that write. Of several the last
     * one is kept.
     *
     * @param request keeps it
     * @param key names it
     * @param value as it is stored now; empty where it was deleted
     */
    public void written(RestRequest request, K key, Optional<V> value) {
        request.found().keepWritten(this, key, value);
    }

    /**
     * Keeps things that were found otherwise, so that nobody looks for them again.
     *
     * @param request keeps them, unless it knows them already
     * @param found by what names them
     */
    public void keep(RestRequest request, Map<K, V> found) {
        Map<K, Optional<V>> known = request.found().by(this);
        found.forEach((key, value) -> known.putIfAbsent(key, Optional.of(value)));
    }
}
