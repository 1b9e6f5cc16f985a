package io.github.ratelimit.content.widget.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.shared.container.UnavailableException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;

final class ApiExceptionHandlerTest {

    /** A text that is too long for its column, or none where one must be, would come again, and nobody would hear of it. */
    @ParameterizedTest
    @CsvSource({
        "23505, true, 409", // the same once more
        "23503, false, 409", // what it refers to is gone
        "23506, false, 409", // the same on H2
        "23502, false, 500",
        "23513, false, 500",
        "22001, false, 500",
    })
    @SuppressWarnings("NullAway") // No limiter refuses here.
    void onlyWhatOthersDidMeanwhileIsToldAsAConflict(String state, boolean isDuplicate, int status) throws Exception {
        var handler = new ApiExceptionHandler(null, null);
        var cause = new SQLException("refused", state);

        var answer = handler.overtaken(
                isDuplicate
                        ? new DuplicateKeyException("refused", cause)
                        : new DataIntegrityViolationException("refused", cause));

        assertThat(answer.getStatusCode().value()).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"SERVICE_UNAVAILABLE, true", "CONFLICT, false", "UNAUTHORIZED, false"})
    @SuppressWarnings("NullAway") // No limiter refuses here.
    void whateverIsLackingNowIsToldWhenToComeAgain(HttpStatus status, boolean isTold) {
        var handler = new ApiExceptionHandler(null, null);

        var answer = handler.expected(ApiException.of(status, "busy", "Try again."));

        assertThat(answer.getHeaders().getFirst("Retry-After"))
                .isEqualTo(isTold ? UnavailableException.RETRY_AFTER : null);
    }

    @Test
    @SuppressWarnings("NullAway") // No limiter refuses here.
    void lackOfMemoryIsNoAnswerWhateverItIsWrappedIn() {
        var handler = new ApiExceptionHandler(null, null);
        var wrapped = new IllegalStateException(new SQLException("", "90108", new OutOfMemoryError()));

        assertThatThrownBy(() -> handler.other(wrapped)).isInstanceOf(OutOfMemoryError.class);
    }
}
