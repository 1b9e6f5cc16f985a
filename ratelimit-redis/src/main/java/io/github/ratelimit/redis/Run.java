package io.github.ratelimit.redis;

import io.github.ratelimit.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * Requests that follow each other and ask the same. The script decides them as one: those that are allowed come first, and what each of
 * them is told follows from where the run began. Used by one thread at a time.
 */
final class Run {

    private final List<Request> requests = new ArrayList<>(1);
    private final Request first;
    private long rememberNanos;

    Run(Request first) {
        this.first = first;
        add(first);
    }

    boolean takes(Request request) {
        return first.asksTheSameAs(request) && add(request);
    }

    private boolean add(Request request) {
        rememberNanos = Math.max(rememberNanos, request.rememberNanos());
        return requests.add(request);
    }

    /** Those that nothing was told yet. */
    List<Request> waiting() {
        return requests.stream().filter(request -> !request.isDone()).toList();
    }

    /** Adds what the script has to know. */
    void writeTo(Call.Arguments to) {
        to.number(first.charges().size()).number(requests.size()).number(first.cost());
        for (int i = 0; i < first.charges().size(); i++) {
            Limit limit = first.charges().get(i).limit();
            to.key(first.counters()[i].redisKey())
                    .number(limit.permits())
                    .number(limit.window().toMillis());
        }
    }

    /**
     * Tells the requests what the script decided.
     *
     * @param now the server's time
     * @param took how long ago the call left, in nanoseconds: its answer may be as old
     */
    void complete(long now, long took, Reply reply, Standings standings) {
        long allowed = reply.next();
        if (allowed < 0) {
            fail(new Unanswered("Redis could not decide: " + ServerErrors.explained(reply.nextError())));
            return;
        }
        Standing[] before = new Standing[first.counters().length];
        for (int i = 0; i < before.length; i++) {
            long used = reply.next();
            before[i] =
                    Standing.of(used, reply.next(), now, first.charges().get(i).limit());
        }
        long cost = first.cost();
        // Before anybody is told: who is refused and asks again at once is answered from here.
        standings.learn(first, Standing.after(before, allowed * cost), allowed < requests.size(), rememberNanos, took);
        for (int i = 0; i < requests.size(); i++) {
            long taken = Math.min(i + 1L, allowed) * cost; // no overflow: it was found to fit
            requests.get(i).answer(Standing.after(before, taken), i < allowed);
        }
    }

    void fail(RuntimeException cause) {
        for (Request request : requests) {
            request.fail(cause);
        }
    }
}
