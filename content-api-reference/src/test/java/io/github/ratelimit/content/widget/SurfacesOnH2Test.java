package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Database;

final class SurfacesOnH2Test extends SurfaceContract {

    SurfacesOnH2Test() {
        super(Database.H2);
    }
}
