package org.springframework.cloud.context.environment;

import java.util.Set;
import org.springframework.context.ApplicationEvent;

/** Stands in for that of Spring Cloud, which publishes it when the values of properties have changed. */
public class EnvironmentChangeEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1;

    private final transient Set<String> keys;

    /** Tells of changed properties. */
    public EnvironmentChangeEvent(Object context, Set<String> keys) {
        super(context);
        this.keys = keys;
    }

    /** The names of the properties that have changed. */
    public Set<String> getKeys() {
        return keys;
    }
}
