package io.github.ratelimit.spring.internal.method;

import io.github.ratelimit.Decision;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.spring.RateLimitedCall;
import io.github.ratelimit.spring.internal.web.servlet.current.CurrentRequest;
import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/** The limited call that a thread makes, and what a request waits for until the arguments of its controller's method are known. */
public final class CurrentCall {

    private static final ThreadLocal<@Nullable RateLimitedCall> CURRENT = new ThreadLocal<>();
    private static final boolean WEB = ClassUtils.isPresent(
            "org.springframework.web.context.request.RequestContextHolder", CurrentCall.class.getClassLoader());
    /** An application on WebFlux has the module of servlets without their API. */
    private static final boolean SERVLET = WEB
            && ClassUtils.isPresent("jakarta.servlet.ServletRequest", CurrentCall.class.getClassLoader())
            && ClassUtils.isPresent("io.github.ratelimit.servlet.ServletCall", CurrentCall.class.getClassLoader());

    /**
     * A request whose limiters are asked when the arguments are known.
     *
     * @param method the controller's
     * @param decision decides by a limiter that knows the costs; throws or fails with what rejects the request
     * @param <T> {@link RateLimitedCall}, or what completes with one
     */
    public record Pending<T>(Method method, Function<UnaryOperator<HttpRateLimiter>, T> decision) {

        /** The attribute of the request. */
        public static final String ATTRIBUTE = Pending.class.getName();
    }

    private CurrentCall() {}

    /** The thread's own, or its request's; null if there is none. */
    public static @Nullable RateLimitedCall find() {
        RateLimitedCall call = CURRENT.get();
        return call == null && SERVLET ? CurrentRequest.find() : call;
    }

    /** An attribute of the thread's request. */
    static @Nullable Object attribute(String name) {
        return WEB ? Request.attribute(name) : null;
    }

    /** Calls the method. That of a controller gets the decision or the call in place of arguments of these types. */
    static @Nullable Object proceed(RateLimitedCall call, boolean ofController, MethodInvocation invocation)
            throws Throwable {
        if (ofController && invocation instanceof ProxyMethodInvocation known) {
            @Nullable Object[] arguments = invocation.getArguments();
            for (int i = 0; i < arguments.length; i++) {
                if (arguments[i] instanceof Decision) {
                    arguments[i] = call.decision();
                } else if (arguments[i] instanceof RateLimitedCall) {
                    arguments[i] = call;
                }
            }
            known.setArguments(arguments);
        }
        RateLimitedCall before = CURRENT.get();
        CURRENT.set(call);
        try {
            return invocation.proceed();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    /** A separate class, so that it is loaded only with Spring Web. */
    private static final class Request {

        static @Nullable Object attribute(String name) {
            RequestAttributes request = RequestContextHolder.getRequestAttributes();
            try {
                return request == null ? null : request.getAttribute(name, RequestAttributes.SCOPE_REQUEST);
            } catch (IllegalStateException e) {
                return null; // it has completed, and somebody has given it to another thread
            }
        }
    }
}
