package io.github.ratelimit.content.widget;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.WatchedLog;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who has spent a budget gets nothing more by spelling the path, the token, the method or his address another way. */
final class HostileCallersTest extends OnLimitedServer {

    @Test
    void noSpellingOfAPathGainsARequest() {
        String visitor = bearer(newVisitor());
        String site = bearer(workspaceToken(0));
        spend(600, "POST " + WIDGET + "typing HTTP/1.1", "{}");
        spend(120, "POST " + WIDGET + "coupon/apply HTTP/1.1", "{\"code\":\"WELCOME10\"}");
        spend(300, "POST " + WIDGET + "messages HTTP/1.1", "{\"text\":\"hi\"}", visitor);
        spend(60, "POST /v1/cms/documents HTTP/1.1", "{\"documents\":[{\"id\":1,\"title\":\"t\"}]}", site);

        assertNoSpellingGains("POST", "/api/v1/widget/typing", "{}");
        assertNoSpellingGains("POST", "/api/v1/widget/coupon/apply", "{\"code\":\"WELCOME10\"}");
        assertNoSpellingGains("POST", "/api/v1/widget/messages", "{\"text\":\"hi\"}", visitor);
        assertNoSpellingGains("POST", "/v1/cms/documents", "{\"documents\":[{\"id\":1,\"title\":\"t\"}]}", site);
        assertNoSpellingGains("GET", "/v1/cms/documents", "", site);
    }

    private void assertNoSpellingGains(String method, String path, String body, String... fields) {
        for (String spelling : spellings(path)) {
            assertNothingGained(method + " " + spelling + " HTTP/1.1", body, fields);
        }
    }

    /** A browser repeats its sign-in below the folder that asked, so no page at the top may ask. Rule: RFC 7617 §2.2. */
    @Test
    void signInIsAskedForOnlyBelowTheProtectedFolders() {
        assertThat(send("GET /actuator HTTP/1.1", "").status()).isEqualTo(403);
        for (String path : List.of("/limits/live", "/actuator/ratelimits")) {
            Answer asked = send("GET " + path + " HTTP/1.1", "");
            assertThat(asked.status()).as(path).isEqualTo(401);
            assertThat(asked.header("WWW-Authenticate").orElse("")).startsWith("Basic");
        }
    }

    /** Whoever leaves before the answer is written is nobody's fault. */
    @Test
    void whoeverLeavesIsNotLoggedAsAFault() {
        String visitor = bearer(newVisitor());
        for (int i = 0; i < 30; i++) {
            send("POST " + WIDGET + "messages HTTP/1.1", "{\"text\":\"" + "word ".repeat(700) + "\"}", visitor);
        }
        try (WatchedLog log = WatchedLog.ofRequests()) {
            for (int i = 0; i < 20; i++) {
                var leaver = new RawConnection(server.base());
                leaver.write(
                        ("GET " + WIDGET + "conversation HTTP/1.1\r\nHost: x\r\n" + visitor + "\r\n\r\n").repeat(10));
                assertThat(leaver.status()).isEqualTo(200);
                leaver.leave();
            }
            assertThat(send("GET " + WIDGET + "conversation HTTP/1.1", "", visitor)
                            .status())
                    .isEqualTo(200);
            assertThat(log.faults()).isEmpty();
        }
    }

    @Test
    void conversationsAreErasedWhenTheirTimeIsOver() {
        Answer silent = send("POST " + WIDGET + "init HTTP/1.1", "{}");
        Answer said = send("POST " + WIDGET + "init HTTP/1.1", "{}");
        send("POST " + WIDGET + "messages HTTP/1.1", "{\"text\":\"hi\"}", bearer(said.text("/token")));

        assertThat(keptAfter(Duration.ofHours(47), silent, said)).containsExactly(true, true);
        assertThat(keptAfter(Duration.ofHours(2), silent, said)).containsExactly(false, true);
        assertThat(keptAfter(Duration.ofDays(177), silent, said)).containsExactly(false, true);
        assertThat(keptAfter(Duration.ofDays(2), silent, said)).containsExactly(false, false);
    }

    private List<Boolean> keptAfter(Duration time, Answer... begun) {
        clock.advance(time);
        server.context().getBean(RetentionSweeper.class).sweep();
        var store = server.context().getBean(ConversationStore.class);
        return Arrays.stream(begun)
                .map(answer -> store.find(UUID.fromString(answer.text("/conversation_id")))
                        .isPresent())
                .toList();
    }

    /** Ways to write a path that somebody might take for the same, by what is changed. */
    private static final String SPELLINGS = """
            the end        PATH PATH/ PATH? PATH?_method=GET PATH; PATH;x=1 PATH%3b PATH.json PATH#x PATH\\
            dots           PATH/. PATH/.. PATH/..;/NAME PATH/%2e PATH/%2e%2e/NAME
            escapes        PATH%2f PATH%5c PATH%00 PATH%0d%0aX-Injected:%20yes PATH%20 PATH%252f PATH%c0%af PATH%zz
            the beginning  /PATH /.PATH /x/..PATH /x/..;PATH /%2ePATH /;PATH http://other.examplePATH
            the folder     FOLDER//NAME FOLDER/x/../NAME FOLDER;a=b/NAME FOLDER%2fNAME
            """;

    private static List<String> spellings(String path) {
        int slash = path.lastIndexOf('/');
        String folder = path.substring(0, slash);
        String name = path.substring(slash + 1);
        String stem = folder + "/" + name.substring(0, name.length() - 1);
        String last = name.substring(name.length() - 1);
        String first = "%02x".formatted((int) name.charAt(0));
        Set<String> all = new LinkedHashSet<>(List.of(
                "//" + path.substring(1),
                folder + "/%" + first + name.substring(1),
                folder + "/%25" + first + name.substring(1),
                folder + "/" + name.toUpperCase(Locale.ROOT),
                stem + "%" + Integer.toHexString(last.charAt(0)),
                stem + "%u00" + Integer.toHexString(last.charAt(0)),
                stem + "\u00ad" + last,
                folder.replace("/v1", "/%761") + "/" + name,
                folder.replace("/v1", "/v1;v=2") + "/" + name,
                folder.replace("/v1", "/v1/") + "/" + name));
        for (String row : SPELLINGS.lines().toList()) {
            String spelled = row.replace("PATH", path).replace("FOLDER", folder).replace("NAME", name);
            all.addAll(List.of(spelled.substring(15).split(" ", -1)));
        }
        assertThat(all).hasSizeGreaterThanOrEqualTo(40);
        return List.copyOf(all);
    }

    @Test
    void whatIsServedUnderAnotherSpellingIsCounted() {
        for (String path : List.of("typing;x=1", "%74yping", "typing?x=1", "typing;jsessionid=7?y")) {
            clock.advance(Duration.ofMinutes(1));
            for (int expected = 599; expected > 596; expected--) {
                Answer answer = send("POST " + WIDGET + path + " HTTP/1.1", "{}");
                assertThat(answer.status()).as(path).isEqualTo(204);
                assertThat(Crowd.number(answer, "X-RateLimit-Remaining"))
                        .as(path)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void noMethodGainsARequest() {
        spend(600, "POST " + WIDGET + "typing HTTP/1.1", "{}");
        spend(300, "POST " + WIDGET + "messages HTTP/1.1", "{}");
        for (String method : "GET HEAD PUT PATCH DELETE OPTIONS PROPFIND post Post POST2 TRACE QUERY".split(" ", -1)) {
            for (String path : List.of("typing", "messages")) {
                Answer answer = send(method + " " + WIDGET + path + " HTTP/1.1", "");
                assertThat(answer.status()).as(method).isGreaterThanOrEqualTo(400);
            }
        }
        for (String field : List.of("X-HTTP-Method-Override: POST", "X-HTTP-Method: POST", "X-Method-Override: POST")) {
            assertNothingGained("GET " + WIDGET + "typing HTTP/1.1", "", field);
        }
        assertNothingGained(
                "OPTIONS " + WIDGET + "typing HTTP/1.1",
                "",
                "Origin: https://evil.example",
                "Access-Control-Request-Method: POST");
        assertNothingGained("POST " + WIDGET + "typing HTTP/1.0", "{}");
    }

    private static final String FORWARDING = """
            X-Real-IP: 198.51.100.1
            True-Client-IP: 198.51.100.2
            CF-Connecting-IP: 198.51.100.3
            Proxy-Client-IP: 198.51.100.4
            REMOTE_ADDR: 198.51.100.5
            Via: 198.51.100.6
            X-Forwarded-For: 198.51.100.0
            X-Forwarded-For: 198.51.100.1, 198.51.100.2
            X-Forwarded-For: 127.0.0.1
            X-Forwarded-For: 10.0.0.1, 127.0.0.1
            X-Forwarded-For: [2001:db8::1]:443
            x-forwarded-for: 198.51.100.3
            X_Forwarded_For: 198.51.100.3
            Forwarded: for=198.51.100.4
            Forwarded: for="[2001:db8::4]:47011";proto=https
            Forwarded: for=_hidden, for=198.51.100.5;by=127.0.0.1
            X-Forwarded-Host: other.example
            X-Forwarded-Proto: https
            X-Original-URL: /
            X-Rewrite-URL: /""";

    @Test
    void noForwardingFieldGainsARequest() {
        spend(60, "POST " + WIDGET + "satisfaction HTTP/1.1", "{\"rating\":5}");
        List<String> fields = new ArrayList<>(List.of(FORWARDING.split("\n", -1)));
        fields.add("X-Forwarded-For: ");
        fields.add("X-Forwarded-For: " + "198.51.100.7, ".repeat(200) + "127.0.0.1");
        assertThat(fields).hasSizeGreaterThanOrEqualTo(20);
        for (String field : fields) {
            Answer answer = send("POST " + WIDGET + "satisfaction HTTP/1.1", "{\"rating\":5}", field);
            assertThat(answer.status()).as(field).isEqualTo(429);
        }
        Answer many = send("POST " + WIDGET + "satisfaction HTTP/1.1", "{\"rating\":5}", fields.toArray(String[]::new));
        assertThat(many.status()).isEqualTo(429);
    }

    @Test
    void nothingThatIsSentComesBackAsAField() {
        spend(60, "POST " + WIDGET + "satisfaction HTTP/1.1", "{\"rating\":5}");
        for (String field : List.of(
                "X-RateLimit-Remaining: 999",
                "X-RateLimit-Limit: 999",
                "X-RateLimit-Reset: 0",
                "Retry-After: 0",
                "User-Agent: a%0d%0aX-Injected: yes",
                "User-Agent: a\u0085X-Injected: yes",
                "User-Agent: a\u2028X-Injected: yes",
                "Origin: https://shop.example%0d%0aX-Injected:yes",
                "Origin: https://shop.example, https://evil.example",
                "Origin: null",
                "Authorization: Bearer a%0d%0aX-Injected: yes",
                "User-Agent: a\r\n X-Injected: yes",
                "User-Agent: a\tX-Injected: yes",
                "User-Agent: " + "x".repeat(6000))) {
            Answer answer = send("POST " + WIDGET + "satisfaction HTTP/1.1", "{\"rating\":5}", field);
            assertThat(answer.status()).as(field).isIn(400, 429);
            assertThat(answer.headers().map()).as(field).doesNotContainKey("x-injected");
            if (answer.status() == 429) {
                assertThat(answer.header("X-RateLimit-Remaining")).as(field).contains("0");
                assertThat(answer.header("X-RateLimit-Limit")).as(field).contains("60");
            }
        }
        for (String field : List.of("User-Agent: a\0b", "Bad Name: x", "X: a\rX-Injected: yes", ": x")) {
            Answer answer = send("POST " + WIDGET + "satisfaction HTTP/1.1", "{\"rating\":5}", field);
            assertThat(answer.status()).as(field).isIn(400, 429);
            assertThat(answer.headers().map()).as(field).doesNotContainKey("x-injected");
        }
        Answer huge =
                send("POST " + WIDGET + "satisfaction HTTP/1.1", "{\"rating\":5}", "User-Agent: " + "x".repeat(20_000));
        assertThat(huge.status()).isIn(400, 431);
    }

    @Test
    void noAgentGainsMoreThanTheHourAllows() {
        // Each agent is a key of its own by the minute; what the address has left this hour falls with each of them.
        long before =
                Crowd.number(send("POST " + WIDGET + "init HTTP/1.1", "", "User-Agent: a"), "X-RateLimit-Remaining");
        for (String agent : List.of("User-Agent: a", "user-agent: a", "User-Agent:a", "User-Agent:   a  ")) {
            long after = Crowd.number(send("POST " + WIDGET + "init HTTP/1.1", "", agent), "X-RateLimit-Remaining");
            assertThat(after).as(agent).isEqualTo(before - 1);
            before = after;
        }
        String long512 = "x".repeat(512);
        long first = Crowd.number(
                send("POST " + WIDGET + "init HTTP/1.1", "", "User-Agent: " + long512 + "1"), "X-RateLimit-Remaining");
        long second = Crowd.number(
                send("POST " + WIDGET + "init HTTP/1.1", "", "User-Agent: " + long512 + "2"), "X-RateLimit-Remaining");
        assertThat(second).as("what stands behind 512 characters makes no key").isEqualTo(first - 1);
    }

    @Test
    void forgedTokensAreRejectedAndCountedByAddress() throws ParseException {
        List<String> forged = forged(newVisitor());
        assertThat(forged).hasSizeGreaterThanOrEqualTo(40);

        long expected = 300;
        for (String token : forged) {
            Answer answer = send("GET " + WIDGET + "conversation HTTP/1.1", "", bearer(token));
            assertThat(answer.status()).as(token).isEqualTo(401);
            assertThat(Crowd.number(answer, "X-RateLimit-Remaining")).as(token).isEqualTo(--expected);
        }
        spend((int) expected, "GET " + WIDGET + "conversation HTTP/1.1", "");
        for (String token : forged) {
            assertThat(send("GET " + WIDGET + "conversation HTTP/1.1", "", bearer(token))
                            .status())
                    .as(token)
                    .isEqualTo(429);
        }
    }

    private List<String> forged(String token) throws ParseException {
        String[] parts = token.split("\\.", -1);
        JWTClaimsSet claims = SignedJWT.parse(token).getJWTClaimsSet();
        List<String> forged = new ArrayList<>();
        for (String header : List.of(
                "{\"alg\":\"none\"}",
                "{\"alg\":\"nOnE\",\"typ\":\"JWT\"}",
                "{\"alg\":\"\",\"typ\":\"JWT\"}",
                "{}",
                "{\"alg\":\"HS512\",\"typ\":\"JWT\"}",
                "{\"alg\":\"RS256\",\"typ\":\"JWT\"}",
                "{\"alg\":\"HS256\",\"typ\":\"JWT\",\"kid\":\"../../dev/null\"}",
                "{\"alg\":\"HS256\",\"typ\":\"JWT\",\"jku\":\"https://evil.example/keys\"}",
                "{\"alg\":\"HS256\",\"typ\":\"JWT\",\"jwk\":{\"kty\":\"oct\",\"k\":\"AAAA\"}}",
                "{\"alg\":\"HS256\",\"typ\":\"JWT\",\"crit\":[\"x\"],\"x\":1}",
                "{\"alg\":\"HS256\",\"typ\":\"JWT\",\"zip\":\"DEF\"}",
                "{\"alg\":\"dir\",\"enc\":\"A256GCM\"}")) {
            forged.add(base64(header) + "." + parts[1] + "." + parts[2]);
            forged.add(base64(header) + "." + parts[1] + ".");
        }
        var later = Date.from(clock.instant().plusSeconds(60));
        forged.addAll(List.of(
                signed(new JWTClaimsSet.Builder(claims).audience("other").build()),
                signed(new JWTClaimsSet.Builder(claims).issuer("other").build()),
                signed(new JWTClaimsSet.Builder(claims).expirationTime(null).build()),
                signed(new JWTClaimsSet.Builder(claims)
                        .expirationTime(Date.from(Instant.EPOCH))
                        .build()),
                signed(new JWTClaimsSet.Builder(claims).notBeforeTime(later).build()),
                signed(new JWTClaimsSet.Builder(claims).claim("sid", null).build()),
                signed(new JWTClaimsSet.Builder(claims).claim("sid", "x").build()),
                signed(new JWTClaimsSet.Builder(claims)
                        .claim("sid", List.of("x"))
                        .build()),
                // Well signed, but of a conversation that never was: counted by its claim, see below.
                parts[0] + "." + base64(claims.toString().replace("widget", "admin")) + "." + parts[2],
                parts[0] + "." + parts[1] + "." + parts[2].substring(1),
                parts[0] + "." + parts[1] + "." + parts[2] + "A",
                parts[0] + "." + parts[1],
                parts[1] + "." + parts[2],
                parts[0] + ".." + parts[2],
                token + ".x.y",
                "x" + token,
                UUID.randomUUID().toString(),
                "\u00e9",
                "x".repeat(5000)));
        return forged;
    }

    @Test
    void respelledTokensAreTheSameSessionOrNone() {
        String token = newVisitor();
        spend(300, "GET " + WIDGET + "conversation HTTP/1.1", "", bearer(token));

        char last = token.charAt(token.length() - 1);
        String stem = token.substring(0, token.length() - 1);
        List<String> fields = new ArrayList<>(List.of(
                "Authorization: bearer " + token,
                "Authorization: bEaReR " + token,
                "authorization: Bearer " + token,
                "Authorization: Bearer  " + token,
                "Authorization: Bearer \t " + token + " \t",
                "Authorization: Bearer\t" + token,
                "Authorization: Bearer " + token + "=",
                "Authorization: Bearer " + token + "%3D",
                "Authorization: Bearer " + token.replace(".", "=."),
                "Authorization: Bearer " + token.replace('-', '+').replace('_', '/') + " ",
                "Authorization: Bearer \"" + token + "\"",
                "Authorization: Bearer " + token + ", Bearer " + token,
                "Authorization: Token " + token,
                "Authorization: " + token,
                "Proxy-Authorization: Bearer " + token,
                "Cookie: token=" + token,
                "Authorization: Bearer " + token + "\r\nAuthorization: Bearer " + token,
                "Authorization: Basic x\r\nAuthorization: Bearer " + token));
        // The last character's low bits lie behind the signature's last byte: up to four spellings of one signature.
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        for (int bits = 1; bits < 4; bits++) {
            fields.add("Authorization: Bearer " + stem + alphabet.charAt(alphabet.indexOf(last) ^ bits));
        }
        for (String field : fields) {
            Answer answer = send("GET " + WIDGET + "conversation HTTP/1.1", "", field);
            assertThat(answer.status()).as(field).isIn(401, 429);
            if (answer.status() == 401) {
                assertThat(Crowd.number(answer, "X-RateLimit-Limit"))
                        .as("counted by address")
                        .isEqualTo(300);
            }
        }
        for (String query : List.of("?token=" + token, "?access_token=" + token, "?jwt=" + token)) {
            assertThat(send("GET " + WIDGET + "conversation" + query + " HTTP/1.1", "")
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void aWorkspaceTokenHasOneSpelling() {
        String token = workspaceToken(2);
        spend(60, "GET /v1/cms/documents HTTP/1.1", "", bearer(token));
        for (String field : List.of(
                "Authorization: bearer " + token,
                "Authorization: Bearer   " + token,
                "Authorization: Bearer " + token.toUpperCase(Locale.ROOT),
                "Authorization: Bearer " + token + "=",
                "Authorization: Bearer " + token + "\0",
                "Authorization: Bearer " + token.substring(1),
                "X-Api-Key: " + token)) {
            assertThat(send("GET /v1/cms/documents HTTP/1.1", "", field).status())
                    .as(field)
                    .isIn(400, 401, 429);
        }
        assertThat(send("GET /v1/cms/documents HTTP/1.1", "", bearer(workspaceToken(3)))
                        .status())
                .as("of another token")
                .isEqualTo(200);
    }

    @Test
    void aSignedTokenOfNoConversationIsRejected() {
        var claims = new JWTClaimsSet.Builder()
                .issuer("content-api")
                .audience("widget")
                .claim("sid", UUID.randomUUID().toString())
                .expirationTime(Date.from(clock.instant().plusSeconds(60)))
                .build();
        String bearer = bearer(signed(claims));
        Map<String, String> requests = Map.of(
                "GET " + WIDGET + "conversation", "",
                "POST " + WIDGET + "conversation/close", "",
                "POST " + WIDGET + "messages", "{\"text\":\"x\"}",
                "POST " + WIDGET + "leads", "{\"email\":\"a@example.org\"}");
        requests.forEach((line, body) -> assertThat(
                        send(line + " HTTP/1.1", body, bearer).status())
                .as(line)
                .isEqualTo(401));
    }

    /** Sends so many requests, which are admitted, and one more, which is not. */
    private void spend(int permits, String line, String body, String... fields) {
        Crowd.Outcome outcome =
                Crowd.send(server.base(), permits + 1, (connection, number) -> connection.send(line, body, fields));
        assertThat(outcome.rejected()).as(outcome.statuses()).hasSize(1);
    }

    private void assertNothingGained(String line, String body, String... fields) {
        Answer answer = send(line, body, fields);
        assertThat(answer.status()).as(line).isGreaterThanOrEqualTo(400).isLessThan(500);
        assertThat(answer.headers().map()).as(line).doesNotContainKey("x-injected");
        assertThat(answer.mediaType()).as(line).isEqualTo("application/json");
    }

    private Answer send(String line, String body, String... fields) {
        return RawConnection.once(server.base(), line, body, fields);
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
    }
}
