package io.github.ratelimit;

import io.github.ratelimit.contract.StoreContract;
import io.github.ratelimit.test.TestClock;

/** The in-process store keeps every store's promises. */
class InProcessStoreContractTest extends StoreContract {

    @Override
    protected Store store(TestClock clock) {
        return InProcessStore.create(clock);
    }
}
