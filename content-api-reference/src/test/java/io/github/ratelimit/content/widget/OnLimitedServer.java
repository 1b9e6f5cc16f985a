package io.github.ratelimit.content.widget;

import static io.github.ratelimit.content.harness.ReferenceServer.with;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.test.TestClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * Tests that share a server which trusts no proxy, with its real limits and a clock moved by hand, on a database in memory. Each begins
 * with fresh windows.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OnLimitedServer {

    static final String WIDGET = "/api/v1/widget/";

    private static final byte[] SIGNING_KEY =
            "the signing key of the tests: 32 bytes or more".getBytes(StandardCharsets.US_ASCII);

    /** What a visitor says to make the server fail. */
    static final String FAIL = "fail";

    /** One for each address of a crowd. */
    static final int WORKSPACES = 20;

    final TestClock clock = new TestClock();

    @AutoClose
    final ReferenceServer server = ReferenceServer.start(
            Database.H2, with(clock, new TestAssistant()), settings().toArray(String[]::new));

    private static List<String> settings() {
        var settings = new ArrayList<>(List.of(
                "--ratelimit.http.trusted-proxies=",
                "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
                "--content-api.visitor.signing-key=" + Base64.getEncoder().encodeToString(SIGNING_KEY),
                "--content-api.widget.allowed-origins=https://shop.example"));
        for (int i = 0; i < WORKSPACES; i++) {
            settings.add("--content-api.provision.workspaces[" + i + "].id=site-" + i);
            settings.add("--content-api.provision.workspaces[" + i + "].token=" + workspaceToken(i));
        }
        return settings;
    }

    @BeforeAll
    void grantCoupons() {
        var coupons = server.context().getBean(Coupons.class);
        coupons.grant("site-0", "WELCOME10", "Ten per cent off", 10, null);
        coupons.grant("site-0", "SUMMER24", "Over", 15, Instant.EPOCH);
    }

    @BeforeEach
    void beginWithFreshWindows() {
        clock.advance(Duration.ofHours(1));
    }

    /** An assistant that can be made to fail. */
    private static final class TestAssistant implements Assistant {

        @Override
        public Answer answer(Question question) {
            if (question.text().equals(FAIL)) {
                throw new IllegalStateException("what nobody outside should read");
            }
            return new Answer("Yes.", List.of());
        }
    }

    /** Returns a token of the workspace of that number, from 0 on. */
    static String workspaceToken(int number) {
        return "cms_token-of-the-site-with-the-number-" + number;
    }

    /** Returns the token of a conversation that has just begun, as {@code init} hands it out. */
    String newVisitor() {
        return RawConnection.once(server.base(), "POST " + WIDGET + "init HTTP/1.1", "{}")
                .text("/token");
    }

    static String bearer(String token) {
        return "Authorization: Bearer " + token;
    }

    /** Returns a token that the server would have signed. */
    static String signed(JWTClaimsSet claims) {
        try {
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256)
                            .type(JOSEObjectType.JWT)
                            .build(),
                    claims);
            token.sign(new MACSigner(SIGNING_KEY));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }
}
