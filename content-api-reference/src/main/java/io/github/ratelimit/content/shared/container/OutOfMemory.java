package io.github.ratelimit.content.shared.container;

import java.util.function.Consumer;

/**
 * Ends a process that ran out of memory: any thread may be the one that died of it, and a server without its poller or
 * timer is up and deaf. Whoever supervises the process starts it again.
 *
 * <p>The same as {@code -XX:+ExitOnOutOfMemoryError}, which a jar cannot ask for by itself. Safe for concurrent use.
 */
public final class OutOfMemory {
    /** What the process ends with, as with the option of the JVM. */
    static final int EXIT_STATUS = 3;

    private static final String LINE = "out of memory: the process ends, so that its supervisor starts it again";

    private final Consumer<String> end;

    OutOfMemory(Consumer<String> end) {
        this.end = end;
    }

    /** Ends the process that this is. */
    static OutOfMemory endingTheProcess() {
        return new OutOfMemory(line -> {
            // No logger: it would need memory. No orderly end either: its hooks would.
            System.err.println(line);
            Runtime.getRuntime().halt(EXIT_STATUS);
        });
    }

    /** Ends the process when any thread dies of it. To be called once, when the process starts. */
    public static void watchAllThreads() {
        OutOfMemory outOfMemory = endingTheProcess();
        Thread.setDefaultUncaughtExceptionHandler((thread, problem) -> {
            outOfMemory.endIfCausedBy(problem);
            System.err.print("Exception in thread \"" + thread.getName() + "\" ");
            problem.printStackTrace();
        });
    }

    void endIfCausedBy(Throwable problem) {
        if (Causes.find(problem, OutOfMemoryError.class).isPresent()) {
            end.accept(LINE);
        }
    }
}
