package io.github.ratelimit.content.widget;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.ratelimit.Decision;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.content.ContentApiApplication;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.widget.sync.Workspaces;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.test.TestClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLTransientConnectionException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.FileSystemUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The real server with its real limits and a clock moved by hand, on a database in memory. */
final class LimitedServer implements AutoCloseable {

    /** The key that visitor tokens are signed with. */
    static final byte[] SIGNING_KEY =
            "the signing key of the tests: 32 bytes or more".getBytes(StandardCharsets.US_ASCII);

    /** What a visitor says to make the server fail. */
    static final String FAIL = "fail";

    /** What is asked while the database has no connection left. */
    static final String BUSY = "busy";

    /** What a visitor says to be sent 20 MB of pieces. */
    static final String LONG = "long";

    private static final int WORKSPACES = 4;

    private final TestClock clock = new TestClock();
    private final Path dataDirectory;
    private final ConfigurableApplicationContext context;

    private LimitedServer() {
        try {
            dataDirectory = Files.createTempDirectory("content-api");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        context = new SpringApplicationBuilder(ContentApiApplication.class)
                .initializers(starting -> {
                    var beans = (GenericApplicationContext) starting;
                    beans.registerBean("testClock", TestClock.class, () -> clock);
                    beans.registerBean("failingAssistant", Assistant.class, TestAssistant::new);
                })
                .run(arguments());
        var coupons = context.getBean(Coupons.class);
        coupons.grant("site-0", "WELCOME10", "Ten per cent off", 10);
        coupons.put("site-0", "SUMMER24", "Over", new Discount.Amount("percent", 15, null), Instant.EPOCH);
    }

    static LimitedServer start() {
        return new LimitedServer();
    }

    /** An assistant that can be made to fail, and to say more than any buffer holds. */
    private static final class TestAssistant implements Assistant {

        @Override
        public Answer answer(Question question) {
            if (question.text().equals(FAIL)) {
                throw new IllegalStateException("what nobody outside should read");
            }
            if (question.text().equals(BUSY)) {
                throw new CannotGetJdbcConnectionException("none", new SQLTransientConnectionException("none is left"));
            }
            return new Answer("Yes.", List.of());
        }

        @Override
        public Answer answer(Question question, Consumer<String> pieces) {
            if (question.text().equals(LONG)) {
                for (int i = 0; i < 300; i++) {
                    pieces.accept("x".repeat(64 * 1024));
                }
            }
            pieces.accept("Yes");
            return answer(question);
        }
    }

    private String[] arguments() {
        var arguments = new String[12 + 2 * WORKSPACES];
        arguments[0] = "--server.port=0";
        arguments[1] = "--server.address=127.0.0.1";
        arguments[2] = "--content-api.data-dir=" + dataDirectory;
        arguments[3] = "--content-api.demo=false";
        arguments[4] = "--spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID();
        arguments[5] =
                "--content-api.visitor.signing-key=" + Base64.getEncoder().encodeToString(SIGNING_KEY);
        arguments[6] = "--content-api.widget.allowed-origins=https://shop.example";
        arguments[7] = "--spring.main.banner-mode=off";
        arguments[8] = "--logging.level.root=warn";
        arguments[9] = "--content-api.provision.users[0].login=operator";
        arguments[10] = "--content-api.provision.users[0].role=administrator";
        arguments[11] = "--content-api.provision.users[0].password=sign-in-of-operator";
        for (int i = 0; i < WORKSPACES; i++) {
            arguments[12 + 2 * i] = "--content-api.provision.workspaces[" + i + "].id=site-" + i;
            arguments[13 + 2 * i] = "--content-api.provision.workspaces[" + i + "].token=" + workspaceToken(i);
        }
        return arguments;
    }

    /** Returns a token of the workspace of that number, 0 to 3. */
    static String workspaceToken(int number) {
        return "cms_token-of-the-site-with-the-number-" + number;
    }

    TestClock clock() {
        return clock;
    }

    /** Tells for how many callers answers are kept. */
    long callersOfKeptAnswers() {
        return context.getBean(JdbcClient.class)
                .sql("select count(distinct caller) from repeated_request")
                .query(Long.class)
                .single();
    }

    /** Tells how many bytes answers take that are kept, without their rows. */
    long bytesOfKeptAnswers() {
        return context.getBean(JdbcClient.class)
                .sql("select coalesce(sum(octet_length(body)), 0) from repeated_request")
                .query(Long.class)
                .single();
    }

    /** Tells for how many requests an answer is kept, or may yet be. */
    long keptAnswers() {
        return context.getBean(JdbcClient.class)
                .sql("select count(*) from repeated_request")
                .query(Long.class)
                .single();
    }

    /** Tells how many bytes the address that asks may still store today. */
    long leftToStore() {
        return storage(0).mostRestrictive().orElseThrow().remaining();
    }

    /** Lets the address that asks store so many bytes today, and no more. */
    void leaveToStore(long bytes) {
        storage(leftToStore() - bytes);
    }

    private Decision storage(long cost) {
        var request = new MockHttpServletRequest("POST", "/");
        request.setRemoteAddr("127.0.0.1");
        return context.getBean(HttpRateLimiter.class)
                .limiters()
                .get(StorageQuota.LIMITER)
                .tryAcquire(ServletCall.of(request), cost);
    }

    /** Erases what visitors left whose time is over, as the server does by itself now and then. */
    void sweep() {
        context.getBean(RetentionSweeper.class).sweepAll();
    }

    /** Returns the address of the server, without a slash at its end. */
    String base() {
        return "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
    }

    /** Returns the token of a conversation that has just begun, as {@code init} hands it out. */
    String newVisitor() {
        return Json.read(RawConnection.once(base(), "POST /api/v1/widget/init HTTP/1.1", "{}")
                        .bytes())
                .path("token")
                .asString();
    }

    /** Decides about so many beginnings of each of the agents {@code agent-0}, {@code agent-1} …, as if all had been sent. */
    void beginSessions(String address, int agents, int each) {
        Limiters<HttpCall> limiters = context.getBean(HttpRateLimiter.class).limiters();
        for (int agent = 0; agent < agents; agent++) {
            var request = new MockHttpServletRequest("POST", "/api/v1/widget/init");
            request.setRemoteAddr(address);
            request.addHeader("User-Agent", "agent-" + agent);
            if (!limiters.tryAcquire(List.of("widget-init"), ServletCall.of(request), each)
                    .allowed()) {
                throw new IllegalStateException("no room for " + each + " beginnings of agent " + agent);
            }
        }
    }

    /** Returns a token of a workspace that has just been made. */
    String newWorkspace(String id) {
        return context.getBean(Workspaces.class).issueToken(id);
    }

    /** Returns all paths of the widget and bulk-sync surfaces, with their methods. */
    Map<String, List<String>> mappings() {
        Map<String, List<String>> mappings = new TreeMap<>();
        context.getBean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .forEach(mapping -> mapping.getPatternValues().stream()
                        .filter(path -> path.startsWith("/v1/cms") || path.startsWith("/api/v1/widget"))
                        .forEach(path -> mappings.computeIfAbsent(path, key -> new ArrayList<>())
                                .addAll(methods(mapping))));
        return mappings;
    }

    private static List<String> methods(RequestMappingInfo mapping) {
        Set<RequestMethod> methods = mapping.getMethodsCondition().getMethods();
        return methods.isEmpty()
                ? List.of("GET", "POST", "PUT", "PATCH", "DELETE")
                : methods.stream().map(RequestMethod::name).toList();
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

    @Override
    public void close() {
        context.close();
        try {
            FileSystemUtils.deleteRecursively(dataDirectory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
