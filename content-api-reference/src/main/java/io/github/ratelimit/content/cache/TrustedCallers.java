package io.github.ratelimit.content.cache;

import io.github.ratelimit.content.web.Permission;
import io.github.ratelimit.content.web.RestError;
import io.github.ratelimit.content.web.RestRequest;
import io.github.ratelimit.http.AddressRange;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Lets callers at configured addresses, whatever their account.
 *
 * <p>The address is the one that limits are counted by: the socket's peer, unless that is a trusted proxy. Safe for
 * concurrent use.
 */
@Component
class TrustedCallers implements Permission {

    private final HttpServletRequest current;
    private final ClientAddress clientAddress;
    private final List<AddressRange> ranges;

    /**
     * Creates the rule.
     *
     * @param current stands for the request of the calling thread
     */
    TrustedCallers(HttpServletRequest current, CacheProperties properties, Environment environment) {
        this.current = current;
        List<String> trustedProxies = Binder.get(environment)
                .bind("ratelimit.http.trusted-proxies", Bindable.listOf(String.class))
                .orElse(List.of());
        this.clientAddress = ClientAddress.of(trustedProxies, ClientAddress.DEFAULT_IPV6_PREFIX);
        this.ranges =
                properties.trustedCallers().stream().map(AddressRange::parse).toList();
    }

    @Override
    public void check(RestRequest request) {
        if (!isTrusted()) {
            throw RestError.forbidden(
                    request.caller(), "rest_forbidden", "Sorry, this address is not allowed to do that.");
        }
    }

    private boolean isTrusted() {
        return !ranges.isEmpty()
                && clientAddress
                        .address(new CurrentCall(current))
                        .filter(address -> ranges.stream().anyMatch(range -> range.contains(address)))
                        .isPresent();
    }

    /** All header lines of the request, as a forged one may stand before the proxy's own. */
    private record CurrentCall(HttpServletRequest request) implements HttpCall {

        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public String path() {
            return request.getRequestURI();
        }

        @Override
        public List<String> headers(String name) {
            return Collections.list(request.getHeaders(name));
        }

        @Override
        public String remoteAddress() {
            String address = request.getRemoteAddr();
            return address == null ? "" : address;
        }

        @Override
        public Optional<String> user() {
            return Optional.empty();
        }

        @Override
        public Optional<String> attribute(String name) {
            return Optional.empty();
        }

        @Override
        public HttpDecisions decisions() {
            throw new UnsupportedOperationException("nothing is decided here");
        }
    }
}
