package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Database;

final class SurfacesOnPostgreSqlTest extends SurfaceContract {

    SurfacesOnPostgreSqlTest() {
        super(Database.POSTGRESQL);
    }
}
