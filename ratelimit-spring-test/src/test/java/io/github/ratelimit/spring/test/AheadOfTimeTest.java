package io.github.ratelimit.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.test.context.aot.TestContextAotGenerator;

/** Test classes can be processed ahead of time, as {@code process-test-aot} does. */
class AheadOfTimeTest {

    @Test
    void testClassWithTheAnnotationCanBeProcessed() {
        InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
        new TestContextAotGenerator(files).processAheadOfTime(Stream.of(AutoConfigureRateLimitTest.class));
        assertThat(files.getGeneratedFiles(GeneratedFiles.Kind.SOURCE).keySet())
                .anyMatch(path -> path.endsWith("TestStore__TestContext001_BeanDefinitions.java"));
    }
}
