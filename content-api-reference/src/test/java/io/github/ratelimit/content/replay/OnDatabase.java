package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Database;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Gives a test class the {@link SeededServer} that keeps its content in this database. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SeededServer.Provider.class)
public @interface OnDatabase {
    /** The database. */
    Database value();
}
