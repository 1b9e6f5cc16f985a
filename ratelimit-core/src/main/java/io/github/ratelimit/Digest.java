package io.github.ratelimit;

import io.github.ratelimit.internal.memory.SipHash;
import java.security.SecureRandom;

/**
 * Keyed digests of counters: {@link SipHash} with a random secret for each store, so that clients cannot aim at collisions. Immutable and safe
 * for concurrent use.
 */
final class Digest {

    private static final long ABSENT = -1; // no text has this length

    private final long secret0;
    private final long secret1;

    Digest(long secret0, long secret1) {
        this.secret0 = secret0;
        this.secret1 = secret1;
    }

    static Digest random() {
        SecureRandom random = new SecureRandom();
        return new Digest(random.nextLong(), random.nextLong());
    }

    /** Digests a charge's limiter, limit name, window and key. Never 0. */
    long of(Charge charge) {
        SipHash sip = new SipHash(secret0, secret1);
        sip.add(charge.limiter());
        sip.add(charge.limit().name());
        sip.add(charge.limit().window().toMillis());
        sip.add((long) charge.limit().shape().kind().name().hashCode());
        for (Key key = charge.key(); key != null; key = key.rest()) {
            String part = key.part();
            if (part == null) {
                sip.add(ABSENT);
            } else {
                sip.add(part);
            }
        }
        long digest = sip.finish();
        return digest == 0 ? 1 : digest;
    }
}
