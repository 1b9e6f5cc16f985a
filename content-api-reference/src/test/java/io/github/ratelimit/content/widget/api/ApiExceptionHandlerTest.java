package io.github.ratelimit.content.widget.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.server.http.UnavailableException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.HttpStatus;

final class ApiExceptionHandlerTest {

    @ParameterizedTest
    @CsvSource({"SERVICE_UNAVAILABLE, true", "CONFLICT, false", "UNAUTHORIZED, false"})
    void whateverIsLackingNowIsToldWhenToComeAgain(HttpStatus status, boolean isTold) {
        var handler = new ApiExceptionHandler();

        var answer = handler.expected(ApiException.of(status, "busy", "Try again."));

        assertThat(answer.getHeaders().getFirst("Retry-After"))
                .isEqualTo(isTold ? UnavailableException.RETRY_AFTER : null);
    }
}
