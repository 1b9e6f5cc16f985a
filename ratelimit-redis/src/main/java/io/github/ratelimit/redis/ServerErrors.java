package io.github.ratelimit.redis;

import io.github.ratelimit.internal.Manual;
import java.util.regex.Pattern;

/**
 * Reads a server's error texts: their first word is a code. Rule: redis.io, "RESP protocol", simple errors. Before Redis 7.0, an error that
 * a script met has the script's line in front of it.
 */
final class ServerErrors {

    private static final Pattern LINE_OF_SCRIPT =
            Pattern.compile("^(ERR Error running script \\([^)]*\\): )?(@user_script: ?\\d+: )+-?");

    /** Redis says "Redis command"; others put their own name there, or none. */
    private static final Pattern UNKNOWN_COMMAND =
            Pattern.compile("unknown (\\w+ )?command called from", Pattern.CASE_INSENSITIVE);

    /** Errors of scripts whose user lacks a right: of Redis 7.0 and older, and of newer servers. */
    private static final String MAY_NOT = "The user executing the script can't";

    private static final String ACL_FAILURE = "ACL failure in script";

    /** The page of the manual, as of this version. */
    static final String PAGE = Manual.page("docs/redis.md");

    private ServerErrors() {}

    /** The error without the place in a script. */
    private static String bare(String error) {
        return LINE_OF_SCRIPT.matcher(error).replaceFirst("");
    }

    /** Whether an error of a whole call is the server's, rather than one key's. */
    static boolean isTrouble(String error) {
        return !bare(error).startsWith("WRONGTYPE") && !isTryAgain(error);
    }

    /** Whether an error of one group says more than that one key is not what it should be. */
    static boolean isTroubleOfAGroup(String error) {
        String bare = bare(error);
        return lacksRights(error) || lacksCommand(error) || !(bare.startsWith("WRONGTYPE") || bare.startsWith("ERR "));
    }

    /** Whether the server is a replica, perhaps since a moment ago: the master is elsewhere. */
    static boolean isReplica(String error) {
        String bare = bare(error);
        return bare.startsWith("READONLY") || bare.startsWith("MASTERDOWN") || bare.startsWith("UNBLOCKED");
    }

    /** Whether another node of the Cluster has the key, so that nothing was done. */
    static boolean isElsewhere(String error) {
        return error.startsWith("MOVED ") || error.startsWith("ASK ");
    }

    /** Whether nothing was done as only some of the keys are there: their slot is being moved. Rule: Redis Cluster specification. */
    static boolean isTryAgain(String error) {
        return error.startsWith("TRYAGAIN");
    }

    static boolean isUnknownScript(String error) {
        return error.startsWith("NOSCRIPT");
    }

    /**
     * Whether a script's {@linkplain Script#withoutPexpiretime() second form} may do where its first form failed like this: a command that
     * it calls is not there or not allowed. Redis 7.0 and older do not say which. If it is another command, the second form
     * fails in the same way. So the first form is tried with a cost of 0 on an unused counter: it calls PEXPIRETIME and TIME alone. An error of EVAL or EVALSHA itself is none of these.
     */
    static boolean lacksPexpiretime(String error) {
        return lacksCommand(error)
                || error.contains(MAY_NOT + " run")
                || (error.contains(ACL_FAILURE) && error.contains("'pexpiretime'"));
    }

    private static boolean lacksCommand(String error) {
        return UNKNOWN_COMMAND.matcher(error).find();
    }

    private static boolean lacksRights(String error) {
        return error.startsWith("NOPERM") || error.contains(MAY_NOT) || error.contains(ACL_FAILURE);
    }

    /** The error, with its remedy if there is one. */
    static String explained(String error) {
        if (error.startsWith("MOVED") || error.startsWith("ASK")) {
            return error
                    + "; this server is one node of a Cluster: give the addresses of several nodes, separated by commas";
        }
        if (lacksCommand(error) || error.contains("unknown command")) {
            return error + "; Redis 6.2 or newer is needed";
        }
        if (lacksRights(error)) {
            return error + "; " + PAGE + " lists the commands that the user needs";
        }
        return error;
    }
}
