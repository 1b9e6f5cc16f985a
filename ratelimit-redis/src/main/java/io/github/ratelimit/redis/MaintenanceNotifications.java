package io.github.ratelimit.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;

/**
 * What Lettuce 7 lets a server announce, and Lettuce 6, which applications of Spring Boot 3 bring, does not know. A class of its own, as
 * naming the type is enough to fail without it.
 */
final class MaintenanceNotifications {

    private static final String TYPE = "io.lettuce.core.MaintNotificationsConfig";

    private MaintenanceNotifications() {}

    /** Whether this Lettuce knows of them. */
    static boolean areKnown() {
        try {
            Class.forName(TYPE, false, ClientOptions.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    static void switchOff(ClientOptions.Builder options) {
        options.maintNotificationsConfig(MaintNotificationsConfig.disabled());
    }
}
