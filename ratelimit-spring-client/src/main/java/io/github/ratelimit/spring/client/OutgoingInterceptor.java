package io.github.ratelimit.spring.client;

import io.github.ratelimit.Hold;
import io.github.ratelimit.http.client.OutgoingCall;
import io.github.ratelimit.http.client.OutgoingLimit;
import io.github.ratelimit.http.client.OutgoingRejectedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Limits the calls of a {@code RestClient} or a {@code RestTemplate}: the calling thread waits. Safe for concurrent use.
 *
 * <p>A permit of a concurrency limit comes back when the answer is closed, which those clients do after they have read it, or the call has failed.
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
        Hold hold = limit.hold(call);
        try {
            ClientHttpResponse response = execution.execute(request, body);
            HttpHeaders answer = response.getHeaders();
            limit.answered(call, response.getStatusCode().value(), answer::getFirst);
            return hold == Hold.NOTHING ? response : new HeldResponse(response, hold);
        } catch (Throwable e) {
            hold.close();
            throw e;
        }
    }

    private record HeldResponse(ClientHttpResponse response, Hold hold) implements ClientHttpResponse {

        @Override
        public HttpStatusCode getStatusCode() throws IOException {
            return response.getStatusCode();
        }

        @Override
        public String getStatusText() throws IOException {
            return response.getStatusText();
        }

        @Override
        public HttpHeaders getHeaders() {
            return response.getHeaders();
        }

        @Override
        public InputStream getBody() throws IOException {
            return response.getBody();
        }

        @Override
        public void close() {
            try {
                response.close();
            } finally {
                hold.close();
            }
        }
    }

    /** In the only way that is the same to Spring 6 and 7. */
    static List<String> lines(HttpHeaders headers, String name) {
        return headers.headerSet().stream()
                .filter(field -> field.getKey().equalsIgnoreCase(name))
                .flatMap(field -> field.getValue().stream())
                .toList();
    }
}
