package io.github.ratelimit.contract;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs some tests of a kit within a test, and says which of them fail. */
final class KitRun {

    private KitRun() {}

    static Set<String> failing(Class<?> kit, List<String> tests) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(kit))
                .filters((PostDiscoveryFilter) test -> FilterResult.includedIf(isOneOf(tests, test)))
                .build();
        Set<String> failing = new TreeSet<>();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    failing.add(name(test.getDisplayName()));
                }
            }
        });
        return failing;
    }

    private static boolean isOneOf(List<String> tests, TestDescriptor test) {
        return !test.isTest() || tests.contains(name(test.getDisplayName()));
    }

    private static String name(String displayName) {
        return displayName.replace("()", "");
    }
}
