package io.github.ratelimit.spring.internal.method;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class MethodLimitPostProcessorTest {

    interface Sending {
        default void send() {}
    }

    static class Mailer implements Sending {
        public void sendAll() {}
    }

    @Test
    void classWithoutAnnotationIsLookedAtOnce() {
        MethodLimitPostProcessor processor = new MethodLimitPostProcessor(() -> {
            throw new AssertionError("nothing is limited");
        });
        Mailer mailer = new Mailer();
        assertThat(processor.postProcessAfterInitialization(mailer, "mailer")).isSameAs(mailer);

        // Reading a method's annotations makes objects; time would tell less surely.
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int prototype = 0; prototype < 1_000; prototype++) {
            processor.postProcessAfterInitialization(mailer, "mailer");
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000);
    }
}
