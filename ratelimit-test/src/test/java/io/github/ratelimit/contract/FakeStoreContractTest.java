package io.github.ratelimit.contract;

import io.github.ratelimit.Store;
import io.github.ratelimit.contract.FakeStore.Fault;
import io.github.ratelimit.test.TestClock;

/** The plain store that the broken ones are made from is right without a fault: what the kit sees in them is the fault. */
// region kit
class FakeStoreContractTest extends StoreContract {

    @Override
    protected Store store(TestClock clock) {
        return new FakeStore(clock, Fault.NONE);
    }
}
// endregion
