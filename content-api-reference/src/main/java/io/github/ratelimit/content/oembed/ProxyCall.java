package io.github.ratelimit.content.oembed;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import java.security.Principal;
import java.util.List;
import java.util.Optional;

/**
 * A fetch as a limiter sees it: who asks, and whom.
 *
 * @param account id of who asks
 * @param host of who is asked
 * @param decisions of this fetch alone
 */
record ProxyCall(String account, String host, HttpDecisions decisions) implements HttpCall {

    static ProxyCall of(long account, String host) {
        return new ProxyCall(Long.toString(account), host.isEmpty() ? "none" : host, new HttpDecisions());
    }

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return "/";
    }

    @Override
    public List<String> headers(String name) {
        return List.of();
    }

    @Override
    public Origin origin() {
        return Origin.of("", path(), name -> List.of());
    }

    @Override
    public Optional<Principal> principal() {
        return Optional.of(() -> account);
    }

    @Override
    public Optional<String> attribute(String name) {
        return switch (name) {
            case "account" -> Optional.of(account);
            case "outgoing-host" -> Optional.of(host);
            default -> Optional.empty();
        };
    }

    @Override
    public <T> Optional<T> request(Class<T> type) {
        return Optional.empty();
    }
}
