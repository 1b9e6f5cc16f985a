package io.github.ratelimit.http;

import java.security.Principal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A call made by hand. */
final class Call implements HttpCall {

    private final String remoteAddress;
    private final Map<String, List<String>> headers = new HashMap<>();
    private final Map<String, String> attributes = new HashMap<>();
    private @Nullable String user;
    private @Nullable Object request;
    int fieldsRead;
    private final HttpDecisions decisions = new HttpDecisions();

    Call(String remoteAddress) {
        this.remoteAddress = remoteAddress;
    }

    static Call from(String remoteAddress) {
        return new Call(remoteAddress);
    }

    Call with(String header, String value) {
        headers.computeIfAbsent(header.toLowerCase(Locale.ROOT), unused -> new ArrayList<>())
                .add(value);
        return this;
    }

    Call withAttribute(String name, String value) {
        attributes.put(name, value);
        return this;
    }

    Call of(Object request) {
        this.request = request;
        return this;
    }

    Call by(String user) {
        this.user = user;
        return this;
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
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public Origin origin() {
        return Origin.of(remoteAddress, "/", name -> {
            fieldsRead++;
            return headers(name);
        });
    }

    @Override
    public Optional<Principal> principal() {
        return Optional.ofNullable(user).map(name -> () -> name);
    }

    @Override
    public <T> Optional<T> request(Class<T> type) {
        return Optional.ofNullable(request).filter(type::isInstance).map(type::cast);
    }

    @Override
    public Optional<String> attribute(String name) {
        return Optional.ofNullable(attributes.get(name));
    }

    @Override
    public HttpDecisions decisions() {
        return decisions;
    }
}
