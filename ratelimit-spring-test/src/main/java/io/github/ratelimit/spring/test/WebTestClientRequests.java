package io.github.ratelimit.spring.test;

import io.github.ratelimit.spring.test.LimitedRequest.Answer;
import org.springframework.test.web.reactive.server.ExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Begins assertions about requests of {@code WebTestClient}. */
public final class WebTestClientRequests {

    private WebTestClientRequests() {}

    /**
     * About a request of a {@code WebTestClient}.
     *
     * @param request for example {@code client.get().uri("/search")}; its answer must end
     */
    public static LimitedRequestAssert assertThatRequest(WebTestClient.RequestHeadersSpec<?> request) {
        return LimitedRequestAssert.assertThatRequest(() -> {
            ExchangeResult result = request.exchange().expectBody().returnResult();
            return new Answer(result.getStatus().value(), result.getResponseHeaders()::getFirst);
        });
    }
}
