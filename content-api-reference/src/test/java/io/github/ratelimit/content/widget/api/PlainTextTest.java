package io.github.ratelimit.content.widget.api;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.validation.Validation;
import jakarta.validation.Validator;
import jakarta.validation.ValidatorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PlainTextTest {

    private final ValidatorFactory factory = Validation.buildDefaultValidatorFactory();
    private final Validator validator = factory.getValidator();

    @AfterAll
    void stop() {
        factory.close();
    }

    record Both(
            @PlainText(max = 5, required = true) @Nullable String wanted,
            @PlainText(max = 5) @Nullable String optional) {}

    @Test
    void whatIsOptionalMayBeMissingOrBlank() {
        assertThat(problems("a", null)).isEmpty();
        assertThat(problems("a", " ")).isEmpty();
    }

    @Test
    void whatIsRequiredMayNot() {
        assertThat(problems(null, null)).isEqualTo("is required");
        assertThat(problems(" \t", null)).isEqualTo("is required");
    }

    @Test
    void lengthIsBounded() {
        assertThat(problems("abcde", "abcdef")).isEqualTo("must have at most 5 characters");
    }

    @Test
    void whatADatabaseCannotStoreIsRefused() {
        assertThat(problems("a\0", null)).isEqualTo("must be well-formed text without NUL");
        assertThat(problems("\uD83D", null)).isEqualTo("must be well-formed text without NUL");
        assertThat(problems("\uDE00\uD83D", null)).isEqualTo("must be well-formed text without NUL");
        assertThat(problems("\uD83D\uDE00\n\t", null)).isEmpty();
    }

    private String problems(@Nullable String wanted, @Nullable String optional) {
        return validator.validate(new Both(wanted, optional)).stream()
                .map(violation -> violation.getMessage())
                .findFirst()
                .orElse("");
    }
}
