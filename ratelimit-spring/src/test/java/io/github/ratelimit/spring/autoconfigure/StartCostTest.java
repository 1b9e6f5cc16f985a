package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;

/** What the library adds to a start of an application without a limit, once its classes are loaded: in bytes, which repeat. */
@Isolated
class StartCostTest {

    private static final String OURS = Stream.of("", "Actuator", "Postgres", "Redis", "WebFlux", "WebMvc")
            .map("io.github.ratelimit.spring.autoconfigure.RateLimit%sAutoConfiguration"::formatted)
            .reduce("", (all, one) -> all + "," + one);

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    private static long start(boolean isLimited, int beans) {
        RunningApplication.Builder application =
                RunningApplication.of(Application.class).servingOnly();
        if (!isLimited) {
            application.alsoExclude(OURS);
        }
        for (int i = 0; i < beans; i++) {
            application.bean("bean" + i, new Object());
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        application.start().close();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static double megabytes(int beans) {
        start(true, beans);
        start(false, beans);
        return (start(true, beans) - start(false, beans)) / 1e6;
    }

    @Test
    void startAllocatesLittleMore() {
        double none = megabytes(0);
        double many = megabytes(1000);
        assertThat(none).as("MB without beans").isLessThan(5.5);
        assertThat(many - none).as("MB more with 1,000 beans").isLessThan(3);
    }
}
