package io.github.ratelimit.spring.test;

import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs a class of tests within a test.
 *
 * @param succeeded how many tests passed
 * @param failures what went wrong, also in setting the tests up
 */
record TestRun(long succeeded, List<Throwable> failures) {

    static TestRun of(Class<?> tests) {
        List<Throwable> failures = new ArrayList<>();
        List<TestIdentifier> succeeded = new ArrayList<>();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectClass(tests))
                                .build(),
                        new TestExecutionListener() {
                            @Override
                            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                                result.getThrowable().ifPresent(failures::add);
                                if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
                                    succeeded.add(test);
                                }
                            }
                        });
        return new TestRun(succeeded.size(), failures);
    }
}
