package io.github.ratelimit.content.shared.settings;

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
     * Tells what to do about it.
     *
     * @return one sentence
     */
    public String remedy() {
        return remedy;
    }
}
