package io.github.ratelimit.contract;

import io.github.ratelimit.contract.FakeAdapter.Fault;
import io.github.ratelimit.http.HttpRateLimiter;
import java.util.function.ToLongFunction;

/** The plain adapter that the broken ones are made from is right without a fault: what the kit sees in them is the fault. */
class FakeAdapterContractTest extends HttpContract {

    @Override
    protected Server serve(HttpRateLimiter limiter) throws Exception {
        return serve(limiter, name -> 1);
    }

    @Override
    protected Server serveBehindAWrapper(HttpRateLimiter limiter) throws Exception {
        return serve(limiter);
    }

    @Override
    protected Server serve(HttpRateLimiter limiter, ToLongFunction<String> cost) throws Exception {
        return new FakeAdapter(limiter, cost, Fault.NONE);
    }
}
