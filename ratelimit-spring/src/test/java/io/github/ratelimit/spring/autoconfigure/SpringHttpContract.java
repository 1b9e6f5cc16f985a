package io.github.ratelimit.spring.autoconfigure;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.contract.HttpContract;
import io.github.ratelimit.http.HttpRateLimiter;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.AfterAll;

/** The promises of every adapter. Each class starts two servers, which all its tests share: the limiter changes behind them. */
abstract class SpringHttpContract extends HttpContract {

    /** Of the running class, by whether a filter before the adapter believes forwarding fields. */
    private static final Map<Boolean, Shared> SERVERS = new HashMap<>();

    /** The application under test, whose requests cost what the function says. */
    abstract RunningApplication.Builder application(ToLongFunction<String> cost);

    @Override
    protected Server serve(HttpRateLimiter limiter) throws Exception {
        return serve(limiter, name -> 1);
    }

    @Override
    protected Server serve(HttpRateLimiter limiter, ToLongFunction<String> cost) throws Exception {
        return shared(limiter, cost, false);
    }

    @Override
    protected Server serveBehindAWrapper(HttpRateLimiter limiter) throws Exception {
        return shared(limiter, name -> 1, true);
    }

    private Server shared(HttpRateLimiter limiter, ToLongFunction<String> cost, boolean wrapped) throws Exception {
        Shared server = SERVERS.get(wrapped);
        if (server == null) {
            AtomicReference<ToLongFunction<String>> asked = new AtomicReference<>(cost);
            RunningApplication application = application(
                            name -> requireNonNull(asked.get()).applyAsLong(name))
                    .bean(HttpRateLimiter.class, limiter)
                    .property("server.forward-headers-strategy", wrapped ? "framework" : "native")
                    .start();
            server = new Shared(application, limiter, asked);
            SERVERS.put(wrapped, server);
        }
        server.ask(limiter, cost);
        return server;
    }

    @AfterAll
    static void stop() {
        SERVERS.values().forEach(server -> server.application().close());
        SERVERS.clear();
    }

    private record Shared(
            RunningApplication application, HttpRateLimiter limiter, AtomicReference<ToLongFunction<String>> cost)
            implements Server {

        /** The beans of the application hold one final limiter: it becomes the one of the running test. */
        void ask(HttpRateLimiter other, ToLongFunction<String> otherCost) throws IllegalAccessException {
            for (Field field : HttpRateLimiter.class.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    field.set(limiter, field.get(other));
                }
            }
            cost.set(otherCost);
        }

        @Override
        public URI base() {
            return application.base();
        }

        @Override
        public void close() {
            // The next test uses it.
        }
    }
}
