package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** What the filter does with any origin and method. */
final class WidgetCorsFilterTest {
    private static final String SHOP = "https://shop.example";
    private static final String ITSELF = "http://localhost";
    private static final String PREFLIGHT = "OPTIONS";

    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private final MockFilterChain chain = new MockFilterChain();

    @ParameterizedTest
    @CsvSource({
        SHOP + "," + SHOP + "," + SHOP,
        ITSELF + "," + ITSELF + "," + ITSELF,
        "*," + SHOP + ",*",
        "*,null,*",
        "*,%zz,*",
        "*,http://[,*"
    })
    void preflightOfAnOriginThatMayIsAnsweredHere(String allowed, String origin, String answer)
            throws ServletException, IOException {
        MockHttpServletRequest request = request(PREFLIGHT, origin);
        request.addHeader("Access-Control-Request-Method", "POST");
        request.addHeader("Access-Control-Request-Headers", "authorization,content-type");
        request.addHeader("Access-Control-Request-Private-Network", "true");

        answer(allowed, request);

        assertThat(isServed()).isFalse();
        assertThat(response.getStatus()).isEqualTo(204);
        assertThat(response.getHeader("Access-Control-Allow-Origin")).isEqualTo(answer);
        assertThat(fields("Access-Control-Allow-Methods")).containsExactly("GET", "POST");
        assertThat(fields("Access-Control-Allow-Headers"))
                .map(field -> field.toLowerCase(Locale.ROOT))
                .containsExactly("authorization", "content-type");
        assertThat(response.getHeader("Access-Control-Max-Age")).isEqualTo("3600");
        assertThat(response.getHeader("Access-Control-Allow-Private-Network")).isNull();
        assertThat(response.getHeader("Access-Control-Allow-Credentials")).isNull();
        assertThat(fields("Vary")).contains("Origin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", ITSELF, "null", "%zz", "http://["})
    void preflightOfAnotherOriginIsRejectedInTheFormOfTheSurface(String origin) throws ServletException, IOException {
        MockHttpServletRequest request = request(PREFLIGHT, origin);
        request.addHeader("Access-Control-Request-Method", "POST");

        answer(SHOP, request);

        assertThat(isServed()).isFalse();
        assertThat(response.getStatus()).isEqualTo(403);
        // Whoever writes error pages gives it its form.
        assertThat(response.getContentAsString()).isEmpty();
        assertThat(response.isCommitted()).isTrue();
        assertThat(response.getHeader("Access-Control-Allow-Origin")).isNull();
        assertThat(fields("Vary")).contains("Origin");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "%zz", "http://[", "https://any.example", "capacitor://localhost"})
    void everyOriginMayWhereTheSettingSaysSo(String origin) throws ServletException, IOException {
        answer("*", request("POST", origin));
        assertThat(isServed()).isTrue();
        assertThat(response.getHeader("Access-Control-Allow-Origin")).isEqualTo("*");
        assertThat(fields("Access-Control-Expose-Headers")).contains("Retry-After");
    }

    private static MockHttpServletRequest request(String method, String origin) {
        var request = new MockHttpServletRequest(method, "/");
        request.addHeader("Origin", origin);
        return request;
    }

    private boolean isServed() {
        return chain.getRequest() != null;
    }

    private void answer(String allowed, MockHttpServletRequest request) throws ServletException, IOException {
        filter(allowed).doFilter(request, response, chain);
    }

    private static Filter filter(String allowed) {
        return new WidgetCorsFilter(List.of(allowed));
    }

    private List<String> fields(String name) {
        return response.getHeaders(name).stream()
                .flatMap(value -> List.of(value.split(", *")).stream())
                .toList();
    }
}
