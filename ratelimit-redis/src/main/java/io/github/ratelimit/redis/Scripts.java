package io.github.ratelimit.redis;

/**
 * The scripts in the form that a server understands. Immutable.
 *
 * @param acquire decides
 * @param refund gives back
 * @param shapes decides and settles where a limit has another shape than the fixed window
 */
record Scripts(Script acquire, Script refund, Script shapes) {

    /** For servers that know PEXPIRETIME, since Redis 7.0. */
    static final Scripts USUAL =
            new Scripts(Script.named("acquire.lua"), Script.named("refund.lua"), Script.named("shapes.lua"));

    /** For servers that do not, or reject it. */
    static final Scripts WITHOUT_PEXPIRETIME = new Scripts(
            USUAL.acquire.withoutPexpiretime(), USUAL.refund.withoutPexpiretime(), USUAL.shapes.withoutPexpiretime());
}
