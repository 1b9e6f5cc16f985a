package io.github.ratelimit.spring.client;

import io.github.ratelimit.http.client.OutgoingCall;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.http.client.OutgoingRejectedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Limits the calls of a {@code RestClient} or a {@code RestTemplate}: the calling thread waits. Safe for concurrent use.
 *
 * <p>An {@link OutgoingRejectedException} reaches the caller as it is.
 */
public final class OutgoingInterceptor implements ClientHttpRequestInterceptor {

    private final OutgoingLimit limit;

    /** Makes one. */
    public OutgoingInterceptor(OutgoingLimit limit) {
        this.limit = limit;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        HttpHeaders headers = request.getHeaders();
        OutgoingCall call =
                new OutgoingCall(request.getMethod().name(), request.getURI(), name -> lines(headers, name));
        try {
            limit.enter(call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted =
                    new InterruptedIOException("interrupted while a call to %s waited".formatted(call.server()));
            interrupted.initCause(e);
            throw interrupted;
        }
        ClientHttpResponse response = execution.execute(request, body);
        HttpHeaders answer = response.getHeaders();
        limit.answered(call, response.getStatusCode().value(), answer::getFirst);
        return response;
    }

    /** In the only way that is the same to Spring 6 and 7. */
    static List<String> lines(HttpHeaders headers, String name) {
        return headers.headerSet().stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .flatMap(field -> field.getValue().stream())
                .toList();
    }
}
