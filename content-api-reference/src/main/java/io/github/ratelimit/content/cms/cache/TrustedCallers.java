package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.Route;
import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.http.AddressRange;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Tells which callers the protected routes of the cache obey: those at configured addresses, whatever their account.
 *
 * <p>The address is the one that limits are counted by: the socket's peer, unless that is a trusted proxy. Safe for
 * concurrent use.
 */
@Component
class TrustedCallers implements Route.Permission {

    private final HttpServletRequest current;
    private final ClientAddress clientAddress;
    private final ServletOrigin origin;
    private final List<AddressRange> ranges;

    /**
     * Creates the rule.
     *
     * @param current stands for the request of the calling thread
     */
    TrustedCallers(
            HttpServletRequest current, CmsSettings settings, ClientAddress clientAddress, ServletOrigin origin) {
        this.current = current;
        this.clientAddress = clientAddress;
        this.origin = origin;
        this.ranges = settings.cache().trustedCallers().stream()
                .map(AddressRange::parse)
                .toList();
    }

    @Override
    public void check(RestRequest request) {
        request.require(isTrusted(), "rest_forbidden", "Sorry, this address is not allowed to do that.");
    }

    private boolean isTrusted() {
        return !ranges.isEmpty()
                && clientAddress
                        .address(ServletCall.of(current, origin))
                        .filter(address -> ranges.stream().anyMatch(range -> range.contains(address)))
                        .isPresent();
    }
}
