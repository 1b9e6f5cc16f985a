package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.RawConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Signs in as a browser does: where it is asked, and from then on, without being asked, at all that is in the same folder. Follows
 * redirects. Rule: RFC 7617 §2.2.
 */
final class SigningBrowser {

    private static final int MOST_STEPS = 10;

    private final String base;
    private final String credentials;
    private final Set<String> folders = new LinkedHashSet<>();
    private final List<String> signedInAt = new ArrayList<>();

    SigningBrowser(String base, String credentials) {
        this.base = base;
        this.credentials = credentials;
    }

    Answer get(String address) {
        URI at = URI.create(base + address);
        boolean isAsked = false;
        for (int step = 0; step < MOST_STEPS; step++) {
            String path = at.getRawPath();
            boolean isKnown = folders.stream().anyMatch(path::startsWith);
            Answer answer = load(at, isAsked || isKnown ? credentials : null);
            @Nullable String location = answer.header("Location").orElse(null);
            if (answer.status() == 401 && answer.header("WWW-Authenticate").isPresent() && !isAsked && !isKnown) {
                folders.add(path.substring(0, path.lastIndexOf('/') + 1));
                isAsked = true;
            } else if (answer.status() == 302 && location != null) {
                at = at.resolve(location);
                isAsked = false;
            } else {
                return answer;
            }
        }
        throw new AssertionError("no end of redirects at " + at);
    }

    /** Returns the paths that got to see the password. */
    List<String> signedInAt() {
        return signedInAt;
    }

    private Answer load(URI at, @Nullable String authorization) {
        String query = at.getRawQuery() == null ? "" : "?" + at.getRawQuery();
        String line = "GET " + at.getRawPath() + query + " HTTP/1.1";
        if (authorization == null) {
            return RawConnection.once(base, line, "");
        }
        signedInAt.add(at.getRawPath());
        return RawConnection.once(base, line, "", "Authorization: " + authorization);
    }
}
