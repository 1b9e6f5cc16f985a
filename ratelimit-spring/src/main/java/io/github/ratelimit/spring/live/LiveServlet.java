package io.github.ratelimit.spring.live;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serves the live page to servlet applications: map it to the page's path and all below it, with asynchronous requests supported.
 *
 * <p>No thread waits for a watcher: what a slow one has not taken yet makes it miss the next frames, and who takes nothing for half a minute is
 * left.
 */
public final class LiveServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient LivePage page;
    private final transient LiveFeed feed;

    /** Serves this page with the frames of this feed. */
    public LiveServlet(LivePage page, LiveFeed feed) {
        this.page = page;
        this.feed = feed;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String below = request.getPathInfo() == null ? "" : request.getPathInfo();
        LivePage.fields().forEach(response::setHeader);
        if (below.equals("/")) {
            response.setStatus(HttpServletResponse.SC_FOUND);
            response.setHeader("Location", page.fromBelow());
        } else if (below.equals(LivePage.EVENTS)) {
            watch(request, response);
        } else {
            Optional<LivePage.File> file = page.file(below);
            if (file.isPresent()) {
                send(file.get(), request, response);
            } else {
                response.sendError(HttpServletResponse.SC_NOT_FOUND);
            }
        }
    }

    private static void send(LivePage.File file, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.setHeader("ETag", file.tag());
        if (file.tag().equals(request.getHeader("If-None-Match"))) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            return;
        }
        response.setContentType(file.type());
        response.setContentLength(file.content().length);
        response.getOutputStream().write(file.content());
    }

    private void watch(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (!feed.isOpen()) {
            response.setHeader("Retry-After", LivePage.RETRY_AFTER);
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        }
        response.setContentType("text/event-stream;charset=UTF-8");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Accel-Buffering", "no"); // asks proxies not to collect frames
        if (request.getMethod().equals("HEAD")) {
            return;
        }
        AsyncContext context = request.startAsync();
        context.setTimeout(LivePage.LIFETIME_MILLIS);
        Watching watching = new Watching(context, feed);
        context.addListener(watching);
        context.getResponse().getOutputStream().setWriteListener(watching);
    }

    /** One browser. Frames come from the feed's thread, everything else from the container's. */
    private static final class Watching implements LiveFeed.Watcher, WriteListener, AsyncListener {

        private static final int MOST_MISSED = 30;

        private final AsyncContext context;
        private final LiveFeed feed;
        private final ServletOutputStream out;
        private boolean joined;
        private boolean ready;
        private boolean gone;
        private int missed;

        Watching(AsyncContext context, LiveFeed feed) throws IOException {
            this.context = context;
            this.feed = feed;
            this.out = context.getResponse().getOutputStream();
        }

        @Override
        public void onWritePossible() {
            boolean isFirst;
            synchronized (this) {
                ready = true;
                isFirst = !joined;
                joined = true;
            }
            if (isFirst && !feed.join(this)) { // not while this is locked: the feed locks itself and then this
                end();
            }
        }

        @Override
        public synchronized boolean offer(byte[] event) {
            if (gone) {
                return false;
            }
            if (!ready) {
                if (++missed > MOST_MISSED) {
                    end();
                }
                return !gone;
            }
            missed = 0;
            try {
                out.write(event);
                ready = out.isReady();
                if (ready) {
                    out.flush();
                    ready = out.isReady();
                }
            } catch (IOException | IllegalStateException e) {
                end(); // the browser is gone
            }
            return !gone;
        }

        @Override
        public synchronized void end() {
            if (!gone) {
                gone = true;
                try {
                    context.complete();
                } catch (IllegalStateException e) {
                    // The container was faster.
                    return;
                }
            }
        }

        @Override
        public void onError(Throwable problem) {
            leave();
        }

        private void leave() {
            feed.leave(this); // before this is locked, for the same reason
            end();
        }

        @Override
        public void onComplete(AsyncEvent event) {
            synchronized (this) {
                gone = true;
            }
            feed.leave(this);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            leave();
        }

        @Override
        public void onError(AsyncEvent event) {
            leave();
        }

        @Override
        public void onStartAsync(@Nullable AsyncEvent event) {}
    }
}
