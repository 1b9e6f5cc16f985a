package io.github.ratelimit.content.shared.container;

/** The disk of {@code content-api.data-dir}. */
@FunctionalInterface
public interface Disk {
    /**
     * Says whether it takes hardly anything more.
     *
     * @return true: nothing is stored that can be refused, or can wait
     */
    boolean isFull();
}
