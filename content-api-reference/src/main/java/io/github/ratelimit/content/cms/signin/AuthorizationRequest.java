package io.github.ratelimit.content.cms.signin;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an application asks for: a password, and where to bring it.
 *
 * @param appName what it calls itself; it may say nothing
 * @param appId its UUID, or empty
 * @param success where to go with the password, if anywhere
 * @param reject where to go without one, if anywhere
 */
record AuthorizationRequest(String appName, String appId, Optional<URI> success, Optional<URI> reject) {
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final int LONGEST = 2000;

    /** Schemes that browsers have a meaning for: none is an application's own. They run some of them, and read files by others. */
    private static final Set<String> OF_BROWSERS = Set.of(
            "about blob chrome data feed file filesystem ftp intent jar javascript resource vbscript view-source ws wss"
                    .split(" ", -1));

    private static final int LONGEST_NAME = 200;

    /** Says what is wrong with a request, in words for the person who sees it. */
    static final class InvalidException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidException(String message) {
            super(message);
        }
    }

    static AuthorizationRequest of(HttpServletRequest http, String baseUrl) throws InvalidException {
        String appName = parameter(http, "app_name").strip();
        String appId = parameter(http, "app_id").strip();
        if (appName.length() > LONGEST_NAME) {
            throw new InvalidException("The name of the application is too long.");
        }
        if (!appId.isEmpty() && !UUID.matcher(appId).matches()) {
            throw new InvalidException("The application's id must be a UUID.");
        }
        boolean local = isLocal(URI.create(baseUrl).getHost());
        return new AuthorizationRequest(
                appName,
                appId.toLowerCase(Locale.ROOT),
                address(http, "success_url", local),
                address(http, "reject_url", local));
    }

    static String parameter(HttpServletRequest http, String name) {
        String value = http.getParameter(name);
        return value == null ? "" : value;
    }

    private static Optional<URI> address(HttpServletRequest http, String name, boolean local) throws InvalidException {
        String text = parameter(http, name).strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI address = new URI(text);
            String authority = Objects.requireNonNullElse(address.getRawAuthority(), "");
            // Without user info: what stands before an @ looks like the host, and is not.
            boolean hasHost = !authority.isEmpty() && !authority.startsWith(":") && authority.indexOf('@') < 0;
            if (hasHost && isAllowed(address, local) && text.length() <= LONGEST) {
                return Optional.of(address);
            }
        } catch (URISyntaxException e) {
            throw new InvalidException("The address to return to is not a valid one.");
        }
        throw new InvalidException(
                "The address to return to must begin with https://, or with an application's own scheme and ://.");
    }

    /** Native applications listen on this computer, or to a scheme of their own: RFC 8252, sections 7.3 and 7.1. */
    private static boolean isAllowed(URI address, boolean local) {
        String scheme = Objects.requireNonNullElse(address.getScheme(), "").toLowerCase(Locale.ROOT);
        String host = address.getHost();
        return switch (scheme) {
            case "" -> false;
            case "https" -> host != null;
            case "http" -> host != null && (local || isLoopback(host));
            default -> !OF_BROWSERS.contains(scheme);
        };
    }

    private static boolean isLocal(@Nullable String host) {
        return host != null && (host.equals("localhost") || host.endsWith(".localhost") || isLoopback(host));
    }

    private static boolean isLoopback(String host) {
        return host.equals("[::1]") || host.matches("127(?:\\.\\d{1,3}){3}");
    }

    /** Spells the address of the page with this request. */
    String query() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("app_name", appName);
        parameters.put("app_id", appId);
        parameters.put("success_url", success.map(URI::toString).orElse(""));
        parameters.put("reject_url", reject.map(URI::toString).orElse(""));
        parameters.values().removeIf(String::isEmpty);
        return joined(parameters);
    }

    /** Spells the address to go to with the password. */
    Optional<String> approved(String baseUrl, String login, String password) {
        Map<String, String> answer = new LinkedHashMap<>();
        answer.put("site_url", baseUrl);
        answer.put("user_login", login);
        answer.put("password", password);
        return success.map(address -> with(address, answer));
    }

    /** Spells the address to go to without a password. */
    Optional<String> rejected() {
        return reject.map(URI::toString).or(() -> success.map(address -> with(address, Map.of("success", "false"))));
    }

    /** Spells the address to go to where no application may have a password. */
    Optional<String> disabled() {
        return reject.map(address -> with(address, Map.of("error", "disabled")));
    }

    /** Tells the origin of an address: scheme, host and port. Browsers know no host of an application's own scheme. */
    static String origin(URI address) {
        if (!Set.of("http", "https").contains(address.getScheme().toLowerCase(Locale.ROOT))) {
            return address.getScheme() + ":";
        }
        return address.getScheme() + "://" + address.getHost() + (address.getPort() < 0 ? "" : ":" + address.getPort());
    }

    private static String with(URI address, Map<String, String> parameters) {
        String text = address.toString();
        int fragment = text.indexOf('#');
        String before = fragment < 0 ? text : text.substring(0, fragment);
        String after = fragment < 0 ? "" : text.substring(fragment);
        String separator = before.indexOf('?') < 0 ? "?" : before.endsWith("?") || before.endsWith("&") ? "" : "&";
        return before + separator + joined(parameters) + after;
    }

    private static String joined(Map<String, String> parameters) {
        StringBuilder query = new StringBuilder();
        parameters.forEach((name, value) -> query.append(query.isEmpty() ? "" : "&")
                .append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return query.toString();
    }
}
