package io.github.ratelimit.content.limits;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.Origin;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an account does, as a limiter sees it that counts by attributes: {@code account}, and what else the deed is known by.
 *
 * @param account its id
 * @param others further attributes by their names
 * @param decisions of this deed alone
 */
public record AccountCall(String account, Map<String, String> others, HttpDecisions decisions) implements HttpCall {

    /**
     * A deed of an account.
     *
     * @param account its id
     * @param others further attributes by their names, none of them {@code account}
     * @return the deed, about which nothing was decided yet
     */
    public static AccountCall of(long account, Map<String, String> others) {
        return new AccountCall(Long.toString(account), others, new HttpDecisions());
    }

    @Override
    public String method() {
        return "POST";
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
        return name.equals("account") ? Optional.of(account) : Optional.ofNullable(others.get(name));
    }

    @Override
    public <T> Optional<T> request(Class<T> type) {
        return Optional.empty();
    }
}
