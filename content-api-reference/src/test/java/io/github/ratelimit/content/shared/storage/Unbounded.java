package io.github.ratelimit.content.shared.storage;

import io.github.ratelimit.content.shared.limit.WorkBudget;

/** A budget of those who serve nobody's request. */
public final class Unbounded implements WorkBudget {
    /** Bounds nothing. */
    public static final WorkBudget WORK = new Unbounded();

    private Unbounded() {}

    @Override
    public void countStatement(boolean isWriting) {}

    @Override
    public void requireRoom() {}

    @Override
    public void stored() {}

    @Override
    public void renew() {}

    @Override
    public void giveBack(Runnable step) {
        step.run();
    }

    @Override
    public boolean isSpent() {
        return false;
    }
}
