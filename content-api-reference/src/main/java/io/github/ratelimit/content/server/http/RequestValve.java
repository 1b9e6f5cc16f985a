package io.github.ratelimit.content.server.http;

import io.github.ratelimit.Key;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletCall;
import io.github.ratelimit.servlet.ServletOrigin;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.buf.MessageBytes;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;

/**
 * Bounds requests before any filter: the requests in flight of one client address, and their bodies.
 *
 * <p>The life of a request: one whose body has come, or that has none, waits for a place among those of its address, and is served. One whose body
 * is still to come waits for a place among those that are sent, reads the body, and takes a place among the others then. So slow senders
 * hold no other request of their address. Health, metrics and static files take no place.
 *
 * <p>A waiting request is asynchronous and holds no worker thread. A servlet filter could not do this: after its wait, only filters for
 * asynchronous dispatches would run. Here the request has not reached the servlet container yet, so every filter runs once, as usual.
 */
final class RequestValve extends ValveBase {
    private static final String WAITING = RequestValve.class.getName() + ".waiting";
    private static final String IN_FLIGHT = RequestValve.class.getName() + ".in-flight";
    private static final Set<String> BODILESS = Set.of("GET", "HEAD");
    private static final Pattern FREE =
            Pattern.compile("/actuator/(?:health(?:/.*)?|prometheus)|/[a-z]+\\.(?:svg|css|js|yaml)");
    private static final InputBuffer NO_BODY = new NoBody();

    private final RequestBounds bounds;
    private final ClientAddress addresses;
    private final ServletOrigin origin;
    private final TimeSource clock;
    private final Turns served;
    private final Turns sent;
    private final RequestBody.Room room;

    RequestValve(RequestBounds bounds, ClientAddress addresses, ServletOrigin origin, TimeSource clock) {
        super(true);
        this.bounds = bounds;
        this.addresses = addresses;
        this.origin = origin;
        this.clock = clock;
        this.served = new Turns(bounds.maxInFlightPerAddress());
        this.sent = new Turns(bounds.maxInFlightPerAddress());
        this.room = new RequestBody.Room(bounds.maxBytesInFlight().toBytes());
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (request.getAttribute(WAITING) instanceof Waiting waiting) {
            resume(waiting, request, response);
        } else if (request.getAttribute(IN_FLIGHT) != null
                || request.getMethod() == null
                || request.getContext() == null) {
            // A dispatch by the application, another path for the same request, or a request that Tomcat could not
            // read.
            getNext().invoke(request, response);
        } else {
            boolean isBodiless = BODILESS.contains(request.getMethod());
            if (isBodiless && FREE.matcher(request.getDecodedRequestURI()).matches()) {
                serve(null, request, response);
                return;
            }
            Key address = addresses.resolve(ServletCall.of(request, origin));
            Place place = new Place(address, isBodiless || hasCome(request.getCoyoteRequest()) ? served : sent);
            if (place.turns.tryBegin(address)) {
                serve(place, request, response);
            } else {
                await(place, request);
            }
        }
    }

    /** Says whether the connection has the whole body already, as it has most short ones. */
    private static boolean hasCome(org.apache.coyote.Request request) {
        long length = request.getContentLengthLong();
        return request.getMimeHeaders().getValue("Transfer-Encoding") == null
                && length <= request.getInputBuffer().available();
    }

    /** The place of a request, which is another one when its body has come. Belongs to one thread. */
    private final class Place {
        private final Key address;
        private Turns turns;
        private boolean isHeld = true;

        Place(Key address, Turns turns) {
            this.address = address;
            this.turns = turns;
        }

        void bodyHasCome() {
            if (turns == served) {
                return;
            }
            end();
            turns = served;
            CountDownLatch turn = new CountDownLatch(1);
            Runnable task = turn::countDown;
            turns.begin(address, task);
            isHeld = TimedWait.isInTime(bounds.longestWait(), turn::await) || !turns.giveUp(address, task);
            if (!isHeld) {
                throw UnavailableException.busy("Too many requests of this address are being served at the moment.");
            }
        }

        void end() {
            if (isHeld) {
                isHeld = false;
                turns.end(address);
            }
        }
    }

    private void await(Place place, Request request) {
        AsyncContext context = request.startAsync();
        context.setTimeout(bounds.longestWait().toMillis());
        Waiting waiting = new Waiting(place, request);
        context.addListener(waiting);
        request.setAttribute(WAITING, waiting);
        place.turns.begin(place.address, waiting);
    }

    private void resume(Waiting waiting, Request request, Response response) throws IOException, ServletException {
        request.removeAttribute(WAITING);
        // From here on the request is synchronous, and new to the servlet container.
        request.getCoyoteRequest().action(ActionCode.ASYNC_DISPATCHED, null);
        if (waiting.isLate) {
            JsonErrorController.answer(503, request.getRequestURI(), response);
            return;
        }
        serve(waiting.place, request, response);
        // Tomcat would handle the error a second time, as one of an asynchronous dispatch.
        request.removeAttribute(RequestDispatcher.ERROR_EXCEPTION);
    }

    private void serve(@Nullable Place place, Request request, Response response) throws IOException, ServletException {
        Runnable bodyHasCome = place == null ? () -> {} : place::bodyHasCome;
        RequestBody body = new RequestBody(request.getCoyoteRequest(), bounds, room, clock, bodyHasCome);
        request.setAttribute(IN_FLIGHT, true);
        try {
            if (BODILESS.contains(request.getMethod())) {
                removeBody(request.getCoyoteRequest());
            } else {
                body.open(request);
            }
            getNext().invoke(request, response);
        } finally {
            close(body, request, response);
            if (place != null) {
                place.end();
            }
        }
    }

    /** A body of GET means nothing, and no cache keys by it. Rule: RFC 9110 §9.3.1. */
    private static void removeBody(org.apache.coyote.Request request) {
        request.setInputBuffer(NO_BODY);
        request.getMimeHeaders().removeHeader("Content-Type");
        request.getMimeHeaders().removeHeader("Content-Length");
        request.getMimeHeaders().removeHeader("Transfer-Encoding");
        request.setContentLength(-1);
        request.setContentType((MessageBytes) null);
    }

    private void close(RequestBody body, Request request, Response response) {
        boolean isDone = !request.isAsync();
        try {
            if (isDone && !request.getCoyoteRequest().isFinished()) {
                response.finishResponse();
            }
            body.close(isDone);
        } catch (IOException | IllegalArgumentException | IllegalStateException gone) {
            request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
            container.getLogger().debug("the client is gone, or its body cannot be read", gone);
        }
    }

    /** A request in the queue of its address. Its turn or its timeout dispatches it, once. */
    private static final class Waiting implements Runnable, AsyncListener {
        private final Place place;
        private final Request request;
        private boolean isDispatched;
        private volatile boolean isLate;

        Waiting(Place place, Request request) {
            this.place = place;
            this.request = request;
        }

        @Override
        public void run() {
            dispatch();
        }

        private synchronized void dispatch() {
            if (!isDispatched) {
                isDispatched = true;
                request.getCoyoteRequest().action(ActionCode.ASYNC_DISPATCH, null);
            }
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            isLate = place.turns.giveUp(place.address, this);
            dispatch();
        }

        @Override
        public void onError(AsyncEvent event) {
            onTimeout(event);
        }

        @Override
        public void onComplete(AsyncEvent event) {
            // Nothing was begun.
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // The application has a context of its own.
        }
    }

    private static final class NoBody implements InputBuffer {
        @Override
        public int doRead(ApplicationBufferHandler handler) {
            return -1;
        }

        @Override
        public int available() {
            return 0;
        }
    }
}
