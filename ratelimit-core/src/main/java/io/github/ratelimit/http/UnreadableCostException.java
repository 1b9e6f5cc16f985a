package io.github.ratelimit.http;

/** The cost of a request is missing, cannot be read or is negative. The client gets 400 with the reason. */
public final class UnreadableCostException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    UnreadableCostException(IllegalArgumentException reason) {
        super(reason.getMessage(), reason);
    }

    /** The response: 400 with the reason. */
    public RejectionBody.Content content() {
        String reason = String.valueOf(getMessage())
                .replaceAll("\\p{Cntrl}", "?")
                .replace("\\", "\\\\")
                .replace("\"", "\\\"");
        return new RejectionBody.Content(
                400, "application/json", "{\"error\":{\"code\":\"bad_request\",\"message\":\"%s\"}}".formatted(reason));
    }
}
