package io.github.ratelimit.content.widget;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Tests that share a server with its real limits, of which each begins with fresh windows. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnLimitedServer {

    static final String WIDGET = "/api/v1/widget/";

    LimitedServer server;

    @BeforeAll
    void start() {
        server = LimitedServer.start();
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void beginWithFreshWindows() {
        server.clock().advance(Duration.ofHours(1));
    }
}
