package io.github.ratelimit.content.shared.container;

import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.SocketEvent;

/**
 * Lets no worker wait for what is left of a body when its request is done, however it was answered: the container would, as long as
 * the client likes. Its connection is closed instead. {@link BodyValve} has drained what comes at once; it sees neither what the container
 * answers by itself, such as {@code OPTIONS *}, nor the end of a request that went on without a worker.
 */
final class UnreadBodies implements Adapter {
    private final Adapter adapter;

    UnreadBodies(Adapter adapter) {
        this.adapter = adapter;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        ClientWaits.of(request).serves(response);
        try {
            adapter.service(request, response);
        } finally {
            leave(request);
        }
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event) throws Exception {
        try {
            return adapter.asyncDispatch(request, response, event);
        } finally {
            leave(request);
        }
    }

    private static void leave(Request request) {
        AtomicBoolean isAsync = new AtomicBoolean();
        request.action(ActionCode.ASYNC_IS_ASYNC, isAsync);
        ClientWaits.of(request).done(isAsync.get());
        if (!isAsync.get() && !request.isFinished()) {
            request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return adapter.prepare(request, response);
    }

    @Override
    public void log(Request request, Response response, long time) {
        adapter.log(request, response, time);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
        adapter.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
        return adapter.getDomain();
    }
}
