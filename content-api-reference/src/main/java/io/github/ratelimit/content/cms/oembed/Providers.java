package io.github.ratelimit.content.cms.oembed;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The services whose pages are described by an address of their own; read from a data file. Immutable. */
final class Providers {

    private static final String FILE = "/oembed/providers.json";

    private final List<Provider> all;

    private Providers(List<Provider> all) {
        this.all = all;
    }

    /**
     * One service.
     *
     * @param name as people call it
     * @param endpoint what describes its pages
     * @param patterns of its pages' addresses
     */
    record Provider(String name, String endpoint, List<Pattern> patterns) {

        Provider {
            patterns = List.copyOf(patterns);
        }

        boolean knows(String address) {
            return patterns.stream()
                    .anyMatch(pattern -> pattern.matcher(address).matches());
        }
    }

    /** Reads the data file. */
    static Providers load() {
        try (InputStream in = Providers.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IOException(FILE + " is missing");
            }
            JsonNode file = JsonMapper.shared().readTree(in);
            List<Provider> providers = new ArrayList<>();
            for (JsonNode entry : file.values()) {
                List<Pattern> patterns = new ArrayList<>();
                for (JsonNode pattern : entry.get("patterns").values()) {
                    patterns.add(Pattern.compile(pattern.stringValue(), Pattern.CASE_INSENSITIVE));
                }
                providers.add(new Provider(
                        entry.get("name").stringValue(), entry.get("endpoint").stringValue(), patterns));
            }
            return new Providers(List.copyOf(providers));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + FILE, e);
        }
    }

    /** Finds the service that a page belongs to. */
    Optional<Provider> of(String address) {
        return all.stream().filter(provider -> provider.knows(address)).findFirst();
    }

    List<Provider> all() {
        return all;
    }
}
