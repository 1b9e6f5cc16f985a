package io.github.ratelimit.content.server.settings;

/** A setting that the server cannot start with. */
public final class InvalidSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String remedy;

    /**
     * Names what is wrong.
     *
     * @param property its full name
     * @param rule what it must be and, unless it is secret, what it was
     * @param remedy what to do about it
     */
    public InvalidSettingException(String property, String rule, String remedy) {
        super(property + ": " + rule);
        this.remedy = remedy;
    }

    /**
     * Rejects a value that a rule does not allow.
     *
     * @param isAllowed whether it does
     * @param property its full name
     * @param rule what it must be
     * @param value what it is; never a secret
     * @param remedy what to do about it
     * @throws InvalidSettingException unless it is allowed
     */
    public static void require(boolean isAllowed, String property, String rule, Object value, String remedy) {
        if (!isAllowed) {
            throw new InvalidSettingException(property, rule + ", was " + value, remedy);
        }
    }

    /**
     * Tells what to do about it.
     *
     * @return one sentence
     */
    public String remedy() {
        return remedy;
    }
}
