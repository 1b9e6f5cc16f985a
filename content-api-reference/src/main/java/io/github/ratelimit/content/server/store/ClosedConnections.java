package io.github.ratelimit.content.server.store;

import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;

/**
 * Takes connections out of the pool that lead nowhere, whatever they say of themselves. An embedded database that closed itself, as it does on a
 * full disk, is opened again by the first connection after the last of those that it had; kept, they would serve nobody until the next start.
 *
 * <p>Named in {@code application.yml}, and made by the pool. Safe for concurrent use.
 */
public final class ClosedConnections implements SQLExceptionOverride {
    @java.lang.Override // not the constant that is inherited
    public Override adjudicate(SQLException told) {
        return told instanceof SQLNonTransientConnectionException ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
    }
}
