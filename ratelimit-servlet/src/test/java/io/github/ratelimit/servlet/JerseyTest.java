package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.InProcessStore;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Limiters;
import io.github.ratelimit.contract.RawHttp;
import io.github.ratelimit.http.FieldStyle;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.http.HttpRateLimiter;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.junit.jupiter.api.Test;

/** Resources of JAX-RS, served by Jersey's servlet behind the filter. */
class JerseyTest {

    private static final AtomicInteger CALLED = new AtomicInteger();

    /** At {@code /secret}, where the server has mapped the servlet. */
    @Path("things")
    public static final class Things {

        @GET
        @Path("{id}")
        public String thing(@PathParam("id") String id) {
            CALLED.incrementAndGet();
            return "thing " + id;
        }

        @GET
        @Path("{id}/later")
        public CompletionStage<String> later() {
            CALLED.incrementAndGet();
            return CompletableFuture.supplyAsync(() -> "later");
        }

        @GET
        @Path("{id}/broken")
        public String broken() {
            CALLED.incrementAndGet();
            throw new IllegalStateException("thrown on purpose");
        }
    }

    /** Such as many applications have. */
    public static final class CatchAll implements ExceptionMapper<Throwable> {

        @Override
        public Response toResponse(Throwable failure) {
            return Response.serverError().entity("mapped").build();
        }
    }

    @Test
    void requestIsChargedOnceHoweverItsResourceAnswersAndRejectedBeforeIt() throws Exception {
        CALLED.set(0);
        // region jersey
        HttpRateLimiter limiter = new HttpRateLimiter(
                Limiters.<HttpCall>builder(InProcessStore.create())
                        .add(LimiterSpec.of("things", Limit.of("t", 3, Duration.ofHours(1)), HttpKeys.clientAddress()))
                        .build(),
                FieldStyle.X_RATELIMIT);
        RateLimitFilter filter = RateLimitFilter.builder(limiter)
                .limit("/secret/things/**", "things")
                .build();
        // endregion
        ServletContainer jersey = new ServletContainer(new ResourceConfig(Things.class, CatchAll.class));
        try (ServletServer server = TomcatServer.start(jersey, List.of(filter))) {
            assertThat(answer(server.base(), "/secret/things/1")).isEqualTo("200 thing 1, remaining [2]");
            assertThat(answer(server.base(), "/secret/things/1/later")).isEqualTo("200 later, remaining [1]");
            assertThat(answer(server.base(), "/secret/things/1/broken")).isEqualTo("500 mapped, remaining [0]");

            RawHttp.Answer rejected = RawHttp.get(server.base(), "/secret/things/1");
            assertThat(rejected.status()).isEqualTo(429);
            assertThat(rejected.values("Retry-After")).hasSize(1);
            assertThat(CALLED).hasValue(3);
        }
    }

    private static String answer(URI base, String path) throws Exception {
        RawHttp.Answer answer = RawHttp.get(base, path);
        return "%d %s, remaining %s".formatted(answer.status(), answer.body(), answer.values("X-RateLimit-Remaining"));
    }
}
