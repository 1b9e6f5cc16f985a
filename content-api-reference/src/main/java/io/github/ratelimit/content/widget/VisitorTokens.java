package io.github.ratelimit.content.widget;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.source.ImmutableSecret;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Signs and verifies the tokens of visitors: JWTs with HS256. Safe for concurrent use. */
final class VisitorTokens {

    private static final String ISSUER = "content-api";
    private static final String AUDIENCE = "widget";
    private static final String SESSION = "sid";

    private final InstantSource clock;
    private final Duration lifetime;
    private final MACSigner signer;
    private final DefaultJWTProcessor<SecurityContext> verifier;

    /**
     * Creates the pair of signer and verifier.
     *
     * @param clock what the tokens' times are measured by
     * @param lifetime how long a token is valid, more than zero
     * @param key 32 bytes or more
     */
    VisitorTokens(InstantSource clock, Duration lifetime, byte[] key) {
        this.clock = clock;
        this.lifetime = lifetime;
        try {
            signer = new MACSigner(key);
        } catch (JOSEException e) {
            throw new IllegalArgumentException("the key must have 32 bytes or more", e);
        }
        verifier = verifier(clock, key);
    }

    private static DefaultJWTProcessor<SecurityContext> verifier(InstantSource clock, byte[] key) {
        var verifier = new DefaultJWTProcessor<SecurityContext>();
        // The token does not choose its algorithm: HS256 is the only one.
        verifier.setJWSKeySelector(new JWSVerificationKeySelector<>(JWSAlgorithm.HS256, new ImmutableSecret<>(key)));
        verifier.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT));
        var claims =
                new DefaultJWTClaimsVerifier<>(
                        AUDIENCE, new JWTClaimsSet.Builder().issuer(ISSUER).build(), Set.of("exp", SESSION)) {
                    @Override
                    protected Date currentTime() {
                        return Date.from(clock.instant());
                    }
                };
        claims.setMaxClockSkew(0); // the same server signs and verifies
        verifier.setJWTClaimsSetVerifier(claims);
        return verifier;
    }

    /**
     * The caller of a verified token.
     *
     * @param conversationId also the key of the limiters {@code widget-session} and {@code widget-leads}
     */
    record Session(UUID conversationId) {

        /** The request attribute with the key of a verified token. */
        static final String KEY_ATTRIBUTE = "visitor-session";
    }

    /** A signed token and when it ends. */
    record Issued(String token, Instant expiresAt) {}

    Issued issue(Session session) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Instant end = now.plus(lifetime);
        var token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256)
                        .type(JOSEObjectType.JWT)
                        .build(),
                new JWTClaimsSet.Builder()
                        .issuer(ISSUER)
                        .audience(AUDIENCE)
                        .claim(SESSION, session.conversationId().toString())
                        .issueTime(Date.from(now))
                        .expirationTime(Date.from(end))
                        .build());
        try {
            token.sign(signer);
        } catch (JOSEException e) {
            throw new IllegalStateException("a visitor token could not be signed", e);
        }
        return new Issued(token.serialize(), end);
    }

    /** Returns the session of a token; empty unless signature, algorithm, type, issuer, audience and expiry are right. */
    Optional<Session> verify(String token) {
        try {
            // An encrypted or unsigned token does not parse.
            JWTClaimsSet claims = verifier.process(SignedJWT.parse(token), null);
            return Optional.of(new Session(UUID.fromString(claims.getStringClaim(SESSION))));
        } catch (ParseException | BadJOSEException | JOSEException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
