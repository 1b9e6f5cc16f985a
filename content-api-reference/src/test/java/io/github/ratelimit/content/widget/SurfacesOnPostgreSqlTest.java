package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Database;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs with {@code -Pfull}. */
@EnabledIfSystemProperty(named = "full", matches = "true")
final class SurfacesOnPostgreSqlTest extends SurfaceContract {

    SurfacesOnPostgreSqlTest() {
        super(Database.POSTGRESQL);
    }
}
