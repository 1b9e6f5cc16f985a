package io.github.ratelimit.spring.test;

import io.github.ratelimit.spring.test.LimitedRequest.Answer;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.RequestBuilder;
import org.springframework.test.web.servlet.assertj.MockMvcTester.MockMvcRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/** Begins assertions about requests of {@code MockMvc} and of {@code MockMvcTester}. */
public final class MockMvcRequests {

    private MockMvcRequests() {}

    /**
     * About a request that this {@code MockMvc} performs.
     *
     * @param request for example {@code get("/search")}; is built anew for each request
     */
    public static LimitedRequestAssert assertThatRequest(MockMvc mvc, RequestBuilder request) {
        return LimitedRequestAssert.assertThatRequest(() -> {
            MvcResult result = mvc.perform(request).andReturn();
            if (result.getRequest().isAsyncStarted()) {
                result = mvc.perform(MockMvcRequestBuilders.asyncDispatch(result))
                        .andReturn();
            }
            return answer(result.getResponse());
        });
    }

    /**
     * About a request that its {@code MockMvcTester} performs.
     *
     * @param request for example {@code mvc.get().uri("/search")}
     */
    public static LimitedRequestAssert assertThatRequest(MockMvcRequestBuilder request) {
        return LimitedRequestAssert.assertThatRequest(
                () -> answer(request.exchange().getResponse()));
    }

    private static Answer answer(MockHttpServletResponse response) {
        return new Answer(response.getStatus(), response::getHeader);
    }
}
