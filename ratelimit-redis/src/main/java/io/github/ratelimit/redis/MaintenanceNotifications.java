package io.github.ratelimit.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.MaintNotificationsConfig;

/**
 * Announcements of a server that Lettuce 7 accepts, and that Lettuce 6 of Spring Boot 3 does not know. A separate class, because naming the
 * type is enough to fail without it.
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
