package io.github.ratelimit.servlet;

import io.github.ratelimit.http.adapter.AdapterMistake;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** Warns once of each mistake. Safe for concurrent use. */
final class LoggedMistakes implements Consumer<AdapterMistake> {

    private static final System.Logger LOG = System.getLogger(RateLimitFilter.class.getName());

    private final Set<AdapterMistake> told = EnumSet.noneOf(AdapterMistake.class); // guarded by itself

    @Override
    public void accept(AdapterMistake mistake) {
        synchronized (told) {
            if (!told.add(mistake)) {
                return;
            }
        }
        LOG.log(System.Logger.Level.WARNING, mistake.code() + ": " + mistake.message());
    }
}
