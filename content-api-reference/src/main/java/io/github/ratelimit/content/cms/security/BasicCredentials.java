package io.github.ratelimit.content.cms.security;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A name and a password as the header field {@code Authorization} carries them. Rule: RFC 7617.
 *
 * @param name not empty
 * @param secret may be empty
 */
public record BasicCredentials(String name, String secret) {
    private static final String SCHEME = "basic ";
    private static final int MOST = 1000;

    /**
     * Reads the field.
     *
     * @param header its value, if it was sent
     * @return empty where there are no credentials in a form that anything could be checked against
     */
    public static Optional<BasicCredentials> of(@Nullable String header) {
        if (header == null || header.length() > MOST || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Optional.empty();
        }
        try {
            byte[] pair =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(pair))
                    .toString();
            int colon = text.indexOf(':');
            return colon < 1
                    ? Optional.empty()
                    : Optional.of(new BasicCredentials(text.substring(0, colon), text.substring(colon + 1)));
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Does not print the secret. */
    @Override
    public String toString() {
        return "BasicCredentials";
    }
}
