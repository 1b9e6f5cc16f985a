package io.github.ratelimit.spring.test;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** Gives each test whole budgets, or none; named in {@code spring.factories}. */
final class RateLimitTestExecutionListener implements TestExecutionListener {

    @Override
    public void beforeTestMethod(TestContext test) {
        boolean off = isOff(test);
        TestStore store = test.hasApplicationContext()
                ? test.getApplicationContext().getBeanProvider(TestStore.class).getIfAvailable()
                : null;
        if (store != null) {
            store.begin(off);
        } else if (off) {
            throw new IllegalStateException(
                    "@WithoutRateLimits on %s.%s has no effect: limits can be switched for a test only where the test does the counting; add @AutoConfigureRateLimit to the class"
                            .formatted(
                                    test.getTestClass().getSimpleName(),
                                    test.getTestMethod().getName()));
        }
    }

    private static boolean isOff(TestContext test) {
        return AnnotatedElementUtils.hasAnnotation(test.getTestMethod(), WithoutRateLimits.class)
                || TestContextAnnotationUtils.hasAnnotation(test.getTestClass(), WithoutRateLimits.class);
    }
}
