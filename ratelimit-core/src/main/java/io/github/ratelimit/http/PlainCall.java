package io.github.ratelimit.http;

import java.net.URI;
import java.util.List;
import java.util.function.Function;

/** The call of {@link HttpCall#of}. */
final class PlainCall implements HttpCall {

    private final String method;
    private final String path;
    private final Origin origin;
    private final Function<String, List<String>> headers;
    private final HttpDecisions decisions = new HttpDecisions();

    PlainCall(String method, String target, String peer, Function<String, List<String>> headers) {
        this.method = method;
        this.headers = headers;
        int query = target.indexOf('?');
        String rawPath = query < 0 ? target : target.substring(0, query);
        this.path = rawPath.startsWith("/") ? URI.create("http://any" + rawPath).getPath() : rawPath;
        this.origin = Origin.of(peer, rawPath, headers);
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public List<String> headers(String name) {
        return headers.apply(name);
    }

    @Override
    public Origin origin() {
        return origin;
    }

    @Override
    public HttpDecisions decisions() {
        return decisions;
    }
}
