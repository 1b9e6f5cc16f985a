package io.github.ratelimit.spring;

import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.http.UnreadableCostException;
import io.github.ratelimit.servlet.Rejections;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.servlet.ServletVerdict;
import io.github.ratelimit.spring.internal.web.RejectionAdvice;
import io.github.ratelimit.spring.internal.web.servlet.CorsFilters;
import io.github.ratelimit.spring.internal.web.servlet.ErrorPage;
import io.github.ratelimit.spring.internal.web.servlet.HandlerLookUp;
import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.core.Ordered;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.ViewResolver;

/**
 * Answers a {@link RateLimitException}, unless Spring MVC would give it to a handler that the application has for it.
 *
 * <p>A handler is for it if it names the exception, see {@link RejectionAdvice}. Other resolvers take every exception, and would turn a
 * rejection into an error. Comes before other resolvers, but for one of the very highest precedence.
 * Needs no message converter. Safe for concurrent use.
 */
public final class RateLimitExceptionResolver
        implements HandlerExceptionResolver, Rejections, Ordered, ApplicationContextAware {

    /** A request that would be rejected for its origin is rejected for its number. */
    private static final DefaultCorsProcessor CORS = new DefaultCorsProcessor() {
        @Override
        protected void rejectRequest(ServerHttpResponse response) {}
    };

    private static final Log LOG = LogFactory.getLog(RateLimitExceptionResolver.class);

    /** By its property on Spring Boot 4, then on 3. */
    private static final String ERROR_PATH = "${spring.web.error.path:${server.error.path:${error.path:/error}}}";

    private final RejectionBody body;
    private final ServletOrigin origin;
    private @Nullable ApplicationContext context;
    private @Nullable RejectionAdvice advice;
    private @Nullable HandlerLookUp lookUp;

    /** Makes one that answers by this body, and takes a request's origin from the container. */
    public RateLimitExceptionResolver(RejectionBody body) {
        this(body, ServletOrigin.ofContainer());
    }

    /**
     * Makes one.
     *
     * @param body makes the answer to a rejected request
     * @param origin finds where a request comes from, for a body that depends on the call
     */
    public RateLimitExceptionResolver(RejectionBody body, ServletOrigin origin) {
        this.body = body;
        this.origin = origin;
    }

    /** Where the application's handlers are looked for; without it there are none, and this resolver answers every rejection. */
    @Override
    public void setApplicationContext(ApplicationContext context) {
        this.context = context;
        this.advice = new RejectionAdvice(context);
        this.lookUp = new HandlerLookUp(context);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 1; // the very first place is left to the application
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        Throwable cause = RejectionAdvice.unwrapped(failure);
        if (cause instanceof UnreadableCostException unreadable) {
            try {
                ServletVerdict.write(unreadable.content(), response);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new ModelAndView();
        }
        if (!(cause instanceof RateLimitException rejected)) {
            return null;
        }
        if (response.isCommitted()) {
            return new ModelAndView(); // an event stream that has begun would take an answer for a part of itself
        }
        if (cause != failure && context != null) {
            return resolve(request, response, handler, rejected);
        }
        ServletVerdict.writeFields(rejected.verdict(), request, response);
        if (advice != null && advice.answersFor(handler)) {
            return null;
        }
        try {
            reject(rejected.verdict(), ServletCall.of(request, origin), request, response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ModelAndView(); // answered: nothing to render
    }

    /** By the application's resolvers, of which this is one. */
    private @Nullable ModelAndView resolve(
            HttpServletRequest request,
            HttpServletResponse response,
            @Nullable Object handler,
            RateLimitException rejection) {
        for (HandlerExceptionResolver resolver : beans(HandlerExceptionResolver.class)) {
            ModelAndView answer = resolver.resolveException(request, response, handler, rejection);
            if (answer != null) {
                return answer;
            }
        }
        return null;
    }

    /** Answers a rejection of a filter: as Spring MVC would, were it thrown by the controller that the request was on its way to. */
    @Override
    public void answer(HttpVerdict verdict, ServletCall call, HttpServletResponse response) throws IOException {
        HttpServletRequest request = call.request(HttpServletRequest.class).orElseThrow();
        HandlerExecutionChain handler =
                lookUp == null ? null : lookUp.handler(request).orElse(null);
        RequestAttributes before = RequestContextHolder.getRequestAttributes();
        RequestContextHolder.setRequestAttributes(new ServletRequestAttributes(request, response));
        FilterChain answer = (asked, answered) -> answer(verdict, call, handler, request, response);
        try {
            if (context != null && isCrossOrigin(request)) {
                new CorsFilters(context).around(request, response, answer);
            } else {
                answer.doFilter(request, response);
            }
        } catch (ServletException e) {
            throw new IllegalStateException("the answer to a rejection cannot be rendered", e);
        } finally {
            RequestContextHolder.setRequestAttributes(before);
        }
    }

    private void answer(
            HttpVerdict verdict,
            ServletCall call,
            @Nullable HandlerExecutionChain handler,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, ServletException {
        for (HandlerInterceptor interceptor :
                handler == null ? List.<HandlerInterceptor>of() : handler.getInterceptorList()) {
            if (interceptor instanceof CorsConfigurationSource source && isCrossOrigin(request)) {
                CORS.processRequest(source.getCorsConfiguration(request), request, response);
            }
        }
        Object method = handler != null && handler.getHandler() instanceof HandlerMethod found ? found : null;
        try {
            ModelAndView answer = resolve(request, response, method, RateLimitException.of(verdict));
            if (answer == null) {
                reject(verdict, call, request, response);
            } else {
                render(answer, request, response);
            }
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
    }

    /** By the body, or where it has no text by the application's error page. */
    private void reject(HttpVerdict verdict, ServletCall call, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        RejectionBody.Content content = body.of(verdict, call);
        RejectionBody answer = (same, about) -> content;
        try {
            ServletVerdict.writeFields(verdict, request, response);
            if (content.text().isEmpty() && isPageRendered(content.status(), request, response)) {
                return;
            }
        } catch (Exception e) {
            LOG.debug("The error page of a rejection cannot be rendered", e);
            if (response.isCommitted()) {
                return;
            }
            response.reset();
            answer = RejectionBody.json();
        }
        ServletVerdict.reject(verdict, answer, call, response);
    }

    /** Whether the application has an error page that Spring MVC serves: its dispatcher servlet renders it. */
    private boolean isPageRendered(int status, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        if (context == null || lookUp == null) {
            return false;
        }
        String path = context.getEnvironment().resolvePlaceholders(ERROR_PATH);
        ErrorPage page = new ErrorPage(request, path, status);
        RequestDispatcher dispatcher = lookUp.dispatcher(request);
        if (dispatcher == null
                || lookUp.handler(page) == null
                || !path.equals(page.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE))) {
            return false; // one for many paths, such as that of files, makes no error page
        }
        response.setStatus(status);
        dispatcher.forward(page, response);
        return true;
    }

    private void render(ModelAndView answer, HttpServletRequest request, HttpServletResponse response)
            throws Exception {
        if (answer.getStatus() != null) {
            response.setStatus(answer.getStatus().value());
        }
        View view = answer.getView();
        String name = answer.getViewName();
        for (ViewResolver resolver : name == null ? List.<ViewResolver>of() : beans(ViewResolver.class)) {
            view = view == null ? resolver.resolveViewName(name, request.getLocale()) : view;
        }
        if (view != null) {
            view.render(answer.getModel(), request, response);
        }
    }

    private static boolean isCrossOrigin(HttpServletRequest request) {
        try {
            return CorsUtils.isCorsRequest(request);
        } catch (IllegalArgumentException e) {
            return false; // an Origin that is no address is allowed nothing
        }
    }

    private <T> List<T> beans(Class<T> type) {
        return context == null
                ? List.of()
                : context.getBeanProvider(type).orderedStream().toList();
    }
}
