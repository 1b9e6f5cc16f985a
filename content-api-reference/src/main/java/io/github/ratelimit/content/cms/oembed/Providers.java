package io.github.ratelimit.content.cms.oembed;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;

/**
 * The services whose pages are described by an address of their own.
 *
 * @param all as a data file lists them
 */
record Providers(List<Provider> all) {
    /**
     * One service.
     *
     * @param name as people call it
     * @param endpoint what describes its pages
     * @param patterns of its pages' addresses
     */
    record Provider(String name, String endpoint, List<Pattern> patterns) {
        boolean knows(String address) {
            return patterns.stream()
                    .anyMatch(pattern -> pattern.matcher(address).matches());
        }
    }

    /** Reads the data file. */
    static Providers load() {
        var file = Objects.requireNonNull(Providers.class.getResourceAsStream("/oembed/providers.json"));
        return new Providers(List.of(JsonMapper.shared().readValue(file, Provider[].class)));
    }

    /** Finds the service that a page belongs to. */
    Optional<Provider> of(String address) {
        return all.stream().filter(provider -> provider.knows(address)).findFirst();
    }
}
