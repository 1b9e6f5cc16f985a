package io.github.ratelimit.content.shared.storage;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** Parts of a database of which nobody keeps anything. */
public final class UnheardParts {
    private UnheardParts() {}

    /** Makes them. */
    public static Parts create() {
        return new Parts(new StaticListableBeanFactory().getBeanProvider(ChangeListener.class));
    }
}
