package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.shared.settings.ServerKey;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Tells at the start that the database was used with another key before: by another server, or by this one, whose key was lost. Without it
 * nobody would know why passwords that one server gives are none to another one.
 */
@Component
final class KeyMark {
    private static final Logger log = LoggerFactory.getLogger(KeyMark.class);
    private static final String SETTING = "server-key-mark";

    KeyMark(CacheStore kept, ServerKey key) {
        if (replacesAnother(kept, key)) {
            log.warn(
                    "The key of this server is not the one that this database was used with last. Application passwords and"
                            + " sign-ins of the other key are none here, nor are visitors' tokens unless the widget has a key of its own. Servers of one database need the same content-api.server-key.");
        }
    }

    /** The mark tells one key from others, and nothing of it. */
    static boolean replacesAnother(CacheStore kept, ServerKey key) {
        String mark = key.sign(SETTING, "");
        boolean isAnother = !kept.putIfAbsent(SETTING, mark).equals(mark);
        if (isAnother) {
            kept.put(SETTING, mark);
        }
        return isAnother;
    }
}
