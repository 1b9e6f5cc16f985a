package io.github.ratelimit.content.cms.site;

import io.github.ratelimit.content.cms.item.Item;
import io.github.ratelimit.content.server.settings.ServerKey;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.http.ResponseCookie;
import org.springframework.stereotype.Component;
import org.springframework.web.util.WebUtils;

/**
 * Remembers, in a cookie that nobody can make, that a reader knew the password of an item. It says nothing of the
 * password, and ends with it: a new password makes it worthless. Safe for concurrent use.
 */
@Component
class PageAccess {
    /** Chosen: long enough to read, and to come back to what was read. */
    private static final Duration LIFETIME = Duration.ofHours(1);

    private static final Pattern VALUE = Pattern.compile("(\\d{1,12})\\.([0-9a-f]{64})");

    private final InstantSource clock;
    private final ServerKey key;

    PageAccess(InstantSource clock, ServerKey key) {
        this.clock = clock;
        this.key = key;
    }

    /** Tells whether a reader has shown that they know the password. */
    boolean isOpen(HttpServletRequest http, Item item) {
        Cookie cookie = WebUtils.getCookie(http, name(item));
        return cookie != null && isValid(cookie.getValue(), item);
    }

    private boolean isValid(String value, Item item) {
        Matcher parts = VALUE.matcher(value);
        if (!parts.matches()) {
            return false;
        }
        long end = Long.parseLong(parts.group(1));
        return Instant.ofEpochSecond(end).isAfter(clock.instant())
                && ServerKey.areEqual(sign(item, end), parts.group(2));
    }

    /** Makes the cookie for a reader who knows the password. */
    String open(Item item, boolean secure) {
        long end = clock.instant().plus(LIFETIME).getEpochSecond();
        return ResponseCookie.from(name(item), end + "." + sign(item, end))
                .path("/")
                .httpOnly(true)
                .secure(secure)
                .sameSite("Lax")
                .maxAge(LIFETIME)
                .build()
                .toString();
    }

    private static String name(Item item) {
        return "open-item-" + item.id();
    }

    private String sign(Item item, long end) {
        return key.sign("open item", item.id() + " " + end + " " + item.password());
    }
}
