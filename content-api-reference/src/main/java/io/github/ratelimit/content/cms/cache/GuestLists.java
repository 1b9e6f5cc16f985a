package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.cms.text.Beginning;
import io.github.ratelimit.content.shared.fetch.Fetched;
import io.github.ratelimit.content.shared.fetch.OutgoingClient;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * The agents of testing tools, whose visits say nothing about what people read. Fetched from a configured address when an
 * administrator asks for it. Safe for concurrent use.
 */
@Component
class GuestLists {

    private static final String SETTING = "guest-agents";
    private static final int MOST = 200;
    private static final int LONGEST_NAME = 100;

    private final CacheStore kept;
    private final String address;
    private final OutgoingClient client;
    private volatile List<String> agents;

    GuestLists(CacheStore kept, CmsSettings settings, OutgoingClient client) {
        this.kept = kept;
        this.address = settings.cache().guestLists();
        this.client = client;
        this.agents = kept.find(SETTING).map(GuestLists::read).orElse(List.of());
    }

    /** Tells whether an agent is one of them. */
    boolean contains(String agent) {
        List<String> known = agents;
        if (known.isEmpty()) {
            return false;
        }
        String lower = agent.toLowerCase(Locale.ROOT);
        return known.stream().anyMatch(lower::contains);
    }

    /** Fetches the list anew; tells whether there is one now. */
    boolean sync() {
        if (address.isEmpty()) {
            return false;
        }
        Optional<Fetched> fetched = client.get(address, Set.of("text/plain"));
        List<String> found = fetched.map(Fetched::text).map(GuestLists::read).orElse(List.of());
        if (found.isEmpty()) {
            return false;
        }
        String text = String.join("\n", found);
        kept.put(SETTING, Beginning.of(text, CacheStore.LONGEST));
        agents = found;
        return true;
    }

    private static List<String> read(String text) {
        return text.lines()
                .map(line -> line.strip().toLowerCase(Locale.ROOT))
                .filter(line -> !line.isEmpty() && !line.startsWith("#") && line.length() <= LONGEST_NAME)
                .distinct()
                .limit(MOST)
                .collect(Collectors.toUnmodifiableList());
    }
}
