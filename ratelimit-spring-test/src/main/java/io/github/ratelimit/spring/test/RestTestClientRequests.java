package io.github.ratelimit.spring.test;

import io.github.ratelimit.spring.test.LimitedRequest.Answer;
import org.springframework.test.web.servlet.client.ExchangeResult;
import org.springframework.test.web.servlet.client.RestTestClient;

/** Begins assertions about requests of {@code RestTestClient}, which there is from Spring Framework 7 on. */
public final class RestTestClientRequests {

    private RestTestClientRequests() {}

    /**
     * About a request of a {@code RestTestClient}.
     *
     * @param request for example {@code client.get().uri("/search")}
     */
    public static LimitedRequestAssert assertThatRequest(RestTestClient.RequestHeadersSpec<?> request) {
        return LimitedRequestAssert.assertThatRequest(() -> {
            ExchangeResult result = request.exchange().expectBody().returnResult();
            return new Answer(result.getStatus().value(), result.getResponseHeaders()::getFirst);
        });
    }
}
