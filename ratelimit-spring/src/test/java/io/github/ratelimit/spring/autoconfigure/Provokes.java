package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.spring.internal.Diagnostic;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A test that provokes a finding in an application, reads what its section of the manual says to do, and does it. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Provokes.Reading.class)
@interface Provokes {

    Diagnostic value();

    /** Fails a test that does not look into the manual. */
    final class Reading implements BeforeTestExecutionCallback, AfterTestExecutionCallback {

        @Override
        public void beforeTestExecution(ExtensionContext context) {
            DiagnosticsPage.read();
        }

        @Override
        public void afterTestExecution(ExtensionContext context) {
            Diagnostic provoked = context.getRequiredTestMethod()
                    .getAnnotation(Provokes.class)
                    .value();
            assertThat(DiagnosticsPage.read()).as("sections that were read").contains(provoked);
        }
    }
}
