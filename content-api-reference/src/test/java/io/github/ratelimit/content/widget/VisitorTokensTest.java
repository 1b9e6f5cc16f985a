package io.github.ratelimit.content.widget;

import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.ratelimit.test.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Date;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class VisitorTokensTest {

    private static final byte[] KEY = "a key of thirty-two bytes or more".getBytes(StandardCharsets.US_ASCII);

    private final TestClock clock = new TestClock();
    private final VisitorTokens tokens = new VisitorTokens(clock, Duration.ofHours(24), KEY);
    private final VisitorTokens.Session session = new VisitorTokens.Session(UUID.randomUUID());

    @Test
    void whatIsIssuedIsVerifiedUntilItExpires() {
        VisitorTokens.Issued issued = tokens.issue(session);
        assertThat(tokens.verify(issued.token())).contains(session);

        clock.advance(Duration.between(clock.instant(), issued.expiresAt()).minusMillis(1));
        assertThat(tokens.verify(issued.token())).contains(session);

        clock.advance(Duration.ofMillis(1));
        assertThat(tokens.verify(issued.token())).isEmpty();
    }

    @Test
    void anotherKeyIsRejected() {
        byte[] other = "another key of 32 bytes or longer".getBytes(StandardCharsets.US_ASCII);
        assertThat(tokens.verify(new VisitorTokens(clock, Duration.ofHours(24), other)
                        .issue(session)
                        .token()))
                .isEmpty();
    }

    @Test
    void aChangedCharacterAnywhereIsRejectedOrMeansTheSame() {
        String token = tokens.issue(session).token();
        for (int i = 0; i < token.length(); i++) {
            String changed = token.substring(0, i) + (token.charAt(i) == 'A' ? 'B' : 'A') + token.substring(i + 1);
            // The last character of 32 bytes in base64 has two bits that mean nothing: such a token is the same token.
            assertThat(tokens.verify(changed)).isIn(Optional.empty(), Optional.of(session));
        }
    }

    @Test
    void otherAlgorithmsAreRejectedThoughTheKeyIsRight() throws JOSEException {
        byte[] longKey = new byte[64];
        var verifier = new VisitorTokens(clock, Duration.ofHours(24), longKey);
        assertThat(verifier.verify(signed(header(JWSAlgorithm.HS512), claims(), longKey)))
                .isEmpty();
        assertThat(verifier.verify(signed(header(JWSAlgorithm.HS384), claims(), longKey)))
                .isEmpty();
    }

    @Test
    void anotherTypeOfTokenIsRejected() throws JOSEException {
        var header = new JWSHeader.Builder(JWSAlgorithm.HS256)
                .type(new JOSEObjectType("at+jwt"))
                .build();
        assertThat(tokens.verify(signed(header, claims(), KEY))).isEmpty();
    }

    @Test
    void aShortKeyIsRejected() {
        assertThatThrownBy(() -> new VisitorTokens(clock, Duration.ofHours(24), new byte[31]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key must have 32 bytes or more");
    }

    private JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .issuer("content-api")
                .audience("widget")
                .claim("sid", session.conversationId().toString())
                .expirationTime(Date.from(clock.instant().plus(1, DAYS)));
    }

    private static JWSHeader header(JWSAlgorithm algorithm) {
        return new JWSHeader.Builder(algorithm).type(JOSEObjectType.JWT).build();
    }

    private static String signed(JWSHeader header, JWTClaimsSet.Builder claims, byte[] key) throws JOSEException {
        var token = new SignedJWT(header, claims.build());
        token.sign(new MACSigner(key));
        return token.serialize();
    }
}
