package io.github.ratelimit.spring.autoconfigure;

import java.util.stream.StreamSupport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.util.ClassUtils;

/** The auto-configurations of the library, as an application gets them. */
final class Ours {

    private Ours() {}

    static AutoConfigurations autoConfigurations() {
        ClassLoader loader = Ours.class.getClassLoader();
        return AutoConfigurations.of(StreamSupport.stream(
                        ImportCandidates.load(AutoConfiguration.class, loader).spliterator(), false)
                .filter(name -> name.startsWith("io.github.ratelimit.spring.autoconfigure."))
                .map(name -> ClassUtils.resolveClassName(name, loader))
                .toArray(Class<?>[]::new));
    }
}
