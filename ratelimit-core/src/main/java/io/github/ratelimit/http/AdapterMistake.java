package io.github.ratelimit.http;

/** A mistake in the set-up that an adapter notices while it serves requests. */
public enum AdapterMistake {

    /** One filter meets a request a second time on its way: it is registered twice, most often by a framework and by hand. */
    REGISTERED_TWICE(
            "RL-011",
            "a rate limit filter meets each request twice: it is registered twice, for example as a bean, which Spring Boot registers, and in"
                    + " a security filter chain; a request is still charged once, but leave one of the two out"),

    /** A rejection was answered as something else: with a status below 400, or with the status of a failure. */
    REJECTION_SWALLOWED(
            "RL-014",
            "a rejection reached its client as a success or as a failure of the server, and so without a reason to wait: something handles the"
                    + " exception of the rejection, or all exceptions; let it leave rejections alone, or answer them with 429, or with 503 without a"
                    + " store"),

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
