package io.github.ratelimit.redis;

/** What a server's error texts say: their first word is a code. Rule: redis.io, "RESP protocol", simple errors. */
final class ServerErrors {

    private ServerErrors() {}

    /** Whether it says more than that one key is not what it should be. */
    static boolean isTrouble(String error) {
        return (!error.startsWith("WRONGTYPE") && !error.startsWith("ERR ")) || lacksRights(error);
    }

    /** Whether the server is a replica, perhaps since a moment ago: the master is elsewhere. */
    static boolean isReplica(String error) {
        return error.startsWith("READONLY") || error.startsWith("MASTERDOWN") || error.startsWith("UNBLOCKED");
    }

    static boolean isUnknownScript(String error) {
        return error.startsWith("NOSCRIPT");
    }

    private static boolean lacksRights(String error) {
        return error.startsWith("NOPERM") || error.contains("The user executing the script can't");
    }

    /** The error with what can be done about it, where that is known. */
    static String explained(String error) {
        if (error.startsWith("MOVED") || error.startsWith("ASK")) {
            return error
                    + "; this server is one node of a Cluster: give the addresses of several nodes, separated by commas";
        }
        if (error.contains("Unknown Redis command") || error.contains("unknown command")) {
            return error + "; Redis 7.0 or newer is needed, for PEXPIRETIME";
        }
        if (lacksRights(error)) {
            return error + "; docs/redis.md lists the commands that the user needs";
        }
        return error;
    }
}
