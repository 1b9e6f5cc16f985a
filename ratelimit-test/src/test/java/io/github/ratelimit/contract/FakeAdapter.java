package io.github.ratelimit.contract;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.contract.HttpContract.Server;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpDecisions;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.Origin;
import io.github.ratelimit.http.RejectionBody;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToLongFunction;

/** A plain adapter for the server that comes with Java, right unless it is told what to do wrong. */
final class FakeAdapter implements Server {

    /** What can be wrong, and the tests of the kit that must see it. */
    @SuppressWarnings("ImmutableEnumChecker") // the list is a copy that nobody changes
    enum Fault {
        NONE,
        ASKS_ONE_AFTER_THE_OTHER("storeAndKeysAreAskedOnceForEachRequest"),
        FORGETS_WHAT_WAS_DECIDED(
                "requestIsChargedOnceWhateverItPasses",
                "storeAndKeysAreAskedOnceForEachRequest",
                "costIsAskedOnceForEachLimiterAndTaken",
                "rejectionInALaterDecisionGivesTheEarlierOneBackOnce"),
        ASKS_FOR_THE_COST_TWICE("costIsAskedOnceForEachLimiterAndTaken"),
        TAKES_ONE_WHATEVER_IT_COSTS("costIsAskedOnceForEachLimiterAndTaken"),
        NO_FIELDS_ON_ERRORS("fieldsAreOnEveryResponseWhateverItsStatus"),
        FIELDS_TWICE("fieldsAreOnEveryResponseWhateverItsStatus"),
        ANSWERS_403("rejectionIsDocumentedAndWaitingAsToldIsServed"),
        ALWAYS_429("withoutTheStoreRequestsAreRejectedWhereItWasSaid"),
        NO_RETRY_AFTER(
                "rejectionIsDocumentedAndWaitingAsToldIsServed", "withoutTheStoreRequestsAreRejectedWhereItWasSaid"),
        RETRY_AFTER_ALWAYS("limiterInShadowSaysNothingBesideOneThatRejects", "limiterInShadowSaysNothing"),
        BELIEVES_FORWARDING_FIELDS("forwardingFieldsOfStrangersAreNotBelieved"),
        SKIPS_HEAD("headIsCountedAsGet"),
        LIMITS_THE_PATH_AS_IT_IS_SPELT("noSpellingOfAPathIsServedOnceItsPermitsAreSpent"),
        LIMITS_THE_PATH_BEHIND_THE_FORWARDED_PREFIX("noSpellingIsServedBehindAWrapperWhateverItBelieves"),
        KEEPS_PERMITS("permitIsHeldUntilTheEndOfTheRequest"),
        TELLS_ANOTHER_END("parallelGuessesShareThePermitsAndRightOnesCostNothing", "onlyTheOutcomesOfALimiterCost"),
        REJECTS_AFTER_SERVING("noSpellingOfAPathIsServedOnceItsPermitsAreSpent");

        final List<String> seenBy;

        Fault(String... seenBy) {
            this.seenBy = List.of(seenBy);
        }
    }

    /** What a request meets, in one decision or in several. */
    private static final Map<String, List<List<String>>> LIMITED = Map.of(
            "/forwarded", List.of(List.of("contract")),
            "/twice", List.of(List.of("contract"), List.of("contract")),
            "/both", List.of(List.of("contract", "strict")),
            "/phases", List.of(List.of("contract"), List.of("late")),
            "/secret/pot", List.of(List.of("strict")));

    private final HttpRateLimiter limiter;
    private final ToLongFunction<String> cost;
    private final Fault fault;
    private final HttpServer server;
    private final ExecutorService executor = Executors.newCachedThreadPool();

    FakeAdapter(HttpRateLimiter limiter, ToLongFunction<String> cost, Fault fault) throws IOException {
        this.limiter = limiter;
        this.cost = cost;
        this.fault = fault;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(executor);
        server.createContext("/", this::answer);
        server.start();
    }

    @Override
    public URI base() {
        return URI.create("http://localhost:" + server.getAddress().getPort());
    }

    @Override
    public void close() {
        server.stop(0);
        executor.shutdownNow();
    }

    private void answer(HttpExchange exchange) throws IOException {
        HttpDecisions decisions = new HttpDecisions();
        int status = 500;
        try (exchange) {
            String path = exchange.getRequestURI().getPath().replace("//", "/");
            String prefix = exchange.getRequestHeaders().getFirst("X-Forwarded-Prefix");
            String matched = switch (fault) {
                case LIMITS_THE_PATH_AS_IT_IS_SPELT -> exchange.getRequestURI().getRawPath();
                case LIMITS_THE_PATH_BEHIND_THE_FORWARDED_PREFIX -> prefix == null ? path : prefix + path;
                default -> path;
            };
            if (isRejected(exchange, matched, decisions)
                    || (path.equals("/forwarded") && isRejected(exchange, "/limited/200", decisions))) {
                return;
            }
            status = status(path);
            if (status >= 400 && fault == Fault.NO_FIELDS_ON_ERRORS) {
                exchange.getResponseHeaders().keySet().removeIf(name -> name.startsWith("X-"));
            }
            send(exchange, status, path.equals("/secret/pot") ? HttpContract.SERVED : "served");
        } finally {
            if (fault != Fault.KEEPS_PERMITS) {
                decisions.ended(fault == Fault.TELLS_ANOTHER_END ? 200 : status);
            }
        }
    }

    private static int status(String path) {
        if (path.equals("/limited/thrown")) {
            return 500;
        }
        if (path.startsWith("/limited/")) {
            return Integer.parseInt(path.substring("/limited/".length()));
        }
        return path.equals("/free") || LIMITED.containsKey(path) ? 200 : 404;
    }

    private boolean isRejected(HttpExchange exchange, String path, HttpDecisions decisions) throws IOException {
        if (fault == Fault.SKIPS_HEAD && exchange.getRequestMethod().equals("HEAD")) {
            return false;
        }
        List<List<String>> all =
                path.startsWith("/limited/") ? List.of(List.of("contract")) : LIMITED.getOrDefault(path, List.of());
        if (fault == Fault.ASKS_ONE_AFTER_THE_OTHER) {
            all = all.stream().flatMap(List::stream).map(List::of).toList();
        }
        for (List<String> names : all) {
            Call call = new Call(
                    exchange, path, fault == Fault.FORGETS_WHAT_WAS_DECIDED ? new HttpDecisions() : decisions, fault);
            HttpVerdict verdict = limiter.check(names, call, this::cost);
            verdict.writeFields((name, value) -> field(exchange, name, value));
            if (!verdict.allowed()) {
                reject(exchange, verdict, call);
                return true;
            }
        }
        return false;
    }

    private long cost(String name) {
        long asked = cost.applyAsLong(name);
        if (fault == Fault.ASKS_FOR_THE_COST_TWICE) {
            return cost.applyAsLong(name);
        }
        return fault == Fault.TAKES_ONE_WHATEVER_IT_COSTS ? 1 : asked;
    }

    private void field(HttpExchange exchange, String name, String value) {
        if (fault == Fault.FIELDS_TWICE) {
            exchange.getResponseHeaders().add(name, value);
            exchange.getResponseHeaders().add(name, value);
        } else if (fault != Fault.NO_RETRY_AFTER || !name.equals("Retry-After")) {
            exchange.getResponseHeaders().set(name, value);
        }
    }

    private void reject(HttpExchange exchange, HttpVerdict verdict, HttpCall call) throws IOException {
        RejectionBody.Content content = RejectionBody.json().of(verdict, call);
        exchange.getResponseHeaders().set("Content-Type", content.type());
        int status = switch (fault) {
            case ANSWERS_403 -> 403;
            case ALWAYS_429 -> 429;
            default -> content.status();
        };
        send(exchange, status, fault == Fault.REJECTS_AFTER_SERVING ? HttpContract.SERVED : content.text());
    }

    private void send(HttpExchange exchange, int status, String text) throws IOException {
        if (fault == Fault.RETRY_AFTER_ALWAYS) {
            exchange.getResponseHeaders().set("Retry-After", "3600");
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        boolean none = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, none ? -1 : body.length);
        if (!none) {
            exchange.getResponseBody().write(body);
        }
    }

    private record Call(HttpExchange exchange, String path, HttpDecisions decisions, Fault fault) implements HttpCall {

        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public List<String> headers(String name) {
            return exchange.getRequestHeaders().getOrDefault(name, List.of());
        }

        @Override
        public Origin origin() {
            List<String> forwarded = headers("X-Forwarded-For");
            String peer = exchange.getRemoteAddress().getAddress().getHostAddress();
            boolean believed = fault == Fault.BELIEVES_FORWARDING_FIELDS && !forwarded.isEmpty();
            return Origin.of(
                    believed ? forwarded.get(0) : peer, exchange.getRequestURI().getRawPath(), this::headers);
        }

        @Override
        public Optional<Principal> principal() {
            return Optional.empty();
        }

        @Override
        public Optional<String> attribute(String name) {
            return Optional.empty();
        }

        @Override
        public <T> Optional<T> request(Class<T> type) {
            return type.isInstance(exchange) ? Optional.of(type.cast(exchange)) : Optional.empty();
        }
    }
}
