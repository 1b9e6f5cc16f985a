package io.github.ratelimit.http.adapter;

/** A mistake in the set-up that an adapter notices while it serves requests. */
public enum AdapterMistake {

    /** One filter meets a request a second time on its way: it is registered twice, most often by a framework and by hand. */
    REGISTERED_TWICE(
            "RL-011",
            "the rate limit filter is registered twice, for example as a bean and in a SecurityFilterChain: requests count once, perhaps at the"
                    + " wrong place; remove one registration"),

    /** A rejection was answered as something else: with a status below 400, or with the status of a failure. */
    REJECTION_SWALLOWED(
            "RL-014",
            "a rejected request was answered 200 or 500 instead of 429, so the client retries at once: an exception handler or a filter handles"
                    + " RateLimitException; exclude it there, or answer with rejection.verdict().status()"),

    /** Before authentication, a key, a plan or a condition asks for the user. */
    USER_TOO_EARLY(
            "RL-010",
            "a key, a plan or a condition asks for the user before authentication, when nobody is known: set phase: after-authentication of its"
                    + " limiter");

    private final String code;
    private final String message;

    AdapterMistake(String code, String message) {
        this.code = code;
        this.message = message;
    }

    /** Its number in {@code docs/troubleshooting.md}. */
    public String code() {
        return code;
    }

    /** The mistake and its remedy. */
    public String message() {
        return message;
    }

    /** Whether a status tells a client that it was rejected: one of a client's mistake, or that the service is not there for now. */
    public static boolean swallows(int status) {
        return status < 400 || (status >= 500 && status != 503);
    }
}
