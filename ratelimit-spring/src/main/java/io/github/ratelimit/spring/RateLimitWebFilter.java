package io.github.ratelimit.spring;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.Phase;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.http.adapter.AdapterMistake;
import io.github.ratelimit.http.adapter.ExcludedPaths;
import io.github.ratelimit.http.adapter.PathRule;
import io.github.ratelimit.http.adapter.PathRules;
import io.github.ratelimit.http.adapter.RawPath;
import io.github.ratelimit.spring.internal.method.CurrentCall.Pending;
import io.github.ratelimit.spring.internal.method.ReactiveAnswers;
import io.github.ratelimit.spring.internal.web.reactive.ExchangeCall;
import io.github.ratelimit.spring.internal.web.reactive.ExchangeRejections;
import io.github.ratelimit.spring.internal.web.reactive.ExchangeState;
import io.github.ratelimit.spring.internal.web.reactive.ExchangeVerdict;
import io.github.ratelimit.spring.internal.web.reactive.ServerOrigin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.adapter.WebHttpHandlerBuilder;
import reactor.core.publisher.Mono;

/**
 * Limits the requests of a WebFlux application by path, for all kinds of handlers.
 *
 * <p>All limiters that a request meets here are one decision: all of them take its cost, or none does. A limiter charges a request once,
 * however often it passes. The filter decides on the path that WebFlux dispatches on. With any rule, it answers 400 to a path that can be read
 * in several ways.
 *
 * <p>Where some limiters decide before authentication and some after it, there are two filters, each with its {@link Builder#phase}. Safe
 * for concurrent use. Holds no resources and blocks no thread.
 *
 * <p>As a bean of a context that serves requests, it limits only these: not those of Actuator's own port, whose context asks it, too.
 */
public final class RateLimitWebFilter implements WebFilter, Ordered, ApplicationContextAware {

    private final HttpRateLimiter limiter;
    private final PathRules rules;
    private final BiFunction<HttpVerdict, ExchangeCall, Mono<Void>> rejections;
    private final ExchangeCost cost;
    private final ExchangeOrigin origin;
    private final @Nullable Phase phase;
    private final int order;
    private final Consumer<AdapterMistake> onMistake;
    private @Nullable ApplicationContext serving; // null: any

    private RateLimitWebFilter(Builder builder) {
        this.limiter = builder.limiter;
        this.phase = builder.phase;
        this.rules = new PathRules(builder.rules, this::decides, builder.excluded, builder.rejectsAmbiguousPaths);
        this.rejections = builder.rejections;
        this.cost = builder.cost;
        this.origin = builder.origin;
        this.order = builder.order;
        this.onMistake = builder.onMistake;
    }

    /** Starts to describe a filter. */
    public static Builder builder(HttpRateLimiter limiter) {
        return new Builder(limiter);
    }

    @Override
    public void setApplicationContext(ApplicationContext context) {
        this.serving = context.containsLocalBean(WebHttpHandlerBuilder.WEB_HANDLER_BEAN_NAME) ? context : null;
    }

    @Override
    public int getOrder() {
        return order;
    }

    /**
     * Settles the permits of a request by its real cost, such as the tokens of a model's answer. A smaller cost gives permits back. A
     * larger one takes more, even above the limit. Once for each request. The header fields tell it if the response has not begun yet.
     *
     * @param limiter the limiter's name
     * @param actual permits, 0 or more
     * @return completes when it is done, or exceptionally with {@link io.github.ratelimit.StoreException}; at once if the limiter took nothing
     * @throws IllegalArgumentException if {@code actual} is negative
     */
    public static CompletableFuture<Void> settle(ServerWebExchange exchange, String limiter, long actual) {
        return ExchangeState.of(exchange).settle(exchange, limiter, actual);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ApplicationContext asking = exchange.getApplicationContext();
        if (serving != null && asking != null && serving != asking) {
            return chain.filter(exchange);
        }
        return limited(exchange, chain)
                .doFinally(signal -> ExchangeState.ended(exchange, signal))
                .contextWrite(context -> ReactiveAnswers.keep(
                        () -> exchange.getAttribute(Pending.ATTRIBUTE),
                        ExchangeState.of(exchange).call(exchange),
                        ReactiveAnswers.keep(() -> ServerOrigin.scheduler(exchange), context)));
    }

    private Mono<Void> limited(ServerWebExchange exchange, WebFilterChain chain) {
        if (rules.isEmpty()) {
            return chain.filter(exchange);
        }
        ExchangeState remembered = ExchangeState.of(exchange);
        if (remembered.meetsAgain(this)) {
            onMistake.accept(AdapterMistake.REGISTERED_TWICE);
        }
        if (remembered.decisions().isRejected()) {
            return chain.filter(exchange); // the client has been told: this may be the page that words a rejection
        }
        ExchangeCall call = ExchangeCall.beforeAuthentication(exchange, origin);
        String root = exchange.getRequest().getPath().contextPath().value();
        if (rules.mayBeAvoidedBy(call, root)) {
            return ExchangeVerdict.write(RawPath.REJECTION, exchange);
        }
        List<String> names = rules.limitersOf(call);
        if (names.isEmpty()) {
            return chain.filter(exchange);
        }
        return phase == Phase.BEFORE_AUTHENTICATION
                ? decide(names, call, chain)
                : ExchangeCall.afterAuthentication(exchange, origin).flatMap(known -> decide(names, known, chain));
    }

    private Mono<Void> decide(List<String> names, ExchangeCall call, WebFilterChain chain) {
        return ExchangeVerdict.of(limiter, names, call, cost).flatMap(verdict -> {
            if (phase == Phase.BEFORE_AUTHENTICATION && call.lacksUser()) {
                onMistake.accept(AdapterMistake.USER_TOO_EARLY);
            }
            if (!verdict.allowed()) {
                return rejections.apply(verdict, call);
            }
            ExchangeVerdict.writeFields(verdict, call.exchange());
            return chain.filter(call.exchange());
        });
    }

    /** Whether a limiter decides in this filter's phase. */
    private boolean decides(String name) {
        return phase == null || limiter.limiters().spec(name).phase() == phase;
    }

    /** Gathers what the filter needs. Not safe for concurrent use. */
    public static final class Builder {

        private final HttpRateLimiter limiter;
        private final List<PathRule> rules = new ArrayList<>();
        private ExcludedPaths excluded = ExcludedPaths.NONE;
        private boolean rejectsAmbiguousPaths = true;
        private BiFunction<HttpVerdict, ExchangeCall, Mono<Void>> rejections =
                (verdict, call) -> ExchangeVerdict.reject(verdict, RejectionBody.json(), call);
        private ExchangeCost cost = ExchangeCost.ONE;
        private ExchangeOrigin origin = ExchangeOrigin.ofServer();
        private @Nullable Phase phase;
        private int order;
        private Consumer<AdapterMistake> onMistake = mistake -> {};

        private Builder(HttpRateLimiter limiter) {
            this.limiter = requireNonNull(limiter, "limiter");
        }

        /**
         * Limits paths for every method. A request that several rules match is charged by all of their limiters or by none.
         *
         * @param pattern for example {@code /v1/cms/**}; see {@link io.github.ratelimit.http.adapter.PathPattern}
         * @param limiter the limiter's name
         * @throws IllegalArgumentException if the pattern is malformed
         * @throws IllegalArgumentException if there is no limiter of that name
         */
        public Builder limit(String pattern, String limiter) {
            return limit(PathRule.of(pattern, limiter));
        }

        /**
         * Limits what the rule matches.
         *
         * @throws IllegalArgumentException if there is no limiter of the rule's name
         */
        public Builder limit(PathRule rule) {
            limiter.limiters().get(rule.limiter());
            rules.add(rule);
            return this;
        }

        /** Paths that no rule limits; none if not given. */
        public Builder exclude(ExcludedPaths excluded) {
            this.excluded = requireNonNull(excluded, "excluded");
            return this;
        }

        /** Whether a path that can be read in more than one way, and that a rule could match, is answered with 400; if not said, it is. */
        public Builder rejectAmbiguousPaths(boolean reject) {
            this.rejectsAmbiguousPaths = reject;
            return this;
        }

        /** Answers rejected requests, for example {@link ExchangeRejections#reject}; by {@link RejectionBody#json()} if not given. */
        public Builder rejections(BiFunction<HttpVerdict, ExchangeCall, Mono<Void>> rejections) {
            this.rejections = requireNonNull(rejections, "rejections");
            return this;
        }

        /** Says what requests cost; one permit each if not given. */
        public Builder cost(ExchangeCost cost) {
            this.cost = requireNonNull(cost, "cost");
            return this;
        }

        /** Finds where requests come from; {@link ExchangeOrigin#ofServer()} if not given. */
        public Builder origin(ExchangeOrigin origin) {
            this.origin = requireNonNull(origin, "origin");
            return this;
        }

        /**
         * Holds only those of the rules whose limiter decides in that phase; all of them if not given.
         *
         * <p>Before authentication, nobody is asked who is signed in.
         */
        public Builder phase(Phase phase) {
            this.phase = requireNonNull(phase, "phase");
            return this;
        }

        /** Where it stands among filters; 0 if not given. */
        public Builder order(int order) {
            this.order = order;
            return this;
        }

        /**
         * Hears, with each request that shows it, that something is wrong with how the filter is set up; on a thread that must not block.
         * Nobody does if not given.
         */
        public Builder onMistake(Consumer<AdapterMistake> onMistake) {
            this.onMistake = requireNonNull(onMistake, "onMistake");
            return this;
        }

        /** Makes the filter. */
        public RateLimitWebFilter build() {
            return new RateLimitWebFilter(this);
        }
    }
}
