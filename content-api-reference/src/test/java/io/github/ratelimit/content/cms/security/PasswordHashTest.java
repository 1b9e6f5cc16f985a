package io.github.ratelimit.content.cms.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import io.github.ratelimit.content.harness.AtOnce;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.security.crypto.password.PasswordEncoder;

class PasswordHashTest {

    /** Compares at once, or when it is let go on. */
    private static final class HeldEncoder implements PasswordEncoder {
        private final CountDownLatch goOn;

        HeldEncoder(CountDownLatch goOn) {
            this.goOn = goOn;
        }

        @Override
        public String encode(@Nullable CharSequence password) {
            return "hash of " + password;
        }

        @Override
        public boolean matches(@Nullable CharSequence password, @Nullable String hash) {
            try {
                goOn.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return encode(password).equals(hash);
        }
    }

    @Test
    @Timeout(60) // So that a comparison that nobody lets go on fails the test and not the build.
    void crowdIsToldToComeBackAndLeavesNothingBehind() {
        CountDownLatch goOn = new CountDownLatch(1);
        PasswordHash passwords = new PasswordHash(new CmsSettings.PasswordHashes(1, 1), new HeldEncoder(goOn));
        String hash = passwords.of("right");
        int crowd = 16;
        CountDownLatch rejected = new CountDownLatch(crowd - 2);
        List<String> found = AtOnce.run(crowd, i -> {
            try {
                return String.valueOf(passwords.matches("right", hash));
            } catch (Accounts.BusyException busy) {
                rejected.countDown();
                if (rejected.getCount() == 0) {
                    goOn.countDown();
                }
                return "busy";
            }
        });
        assertThat(Collections.frequency(found, "busy")).isEqualTo(crowd - 2);
        assertThat(Collections.frequency(found, "true")).as("one and who waits").isEqualTo(2);

        assertThat(passwords.matches("right", hash)).isTrue();
        assertThat(passwords.matches("wrong", hash)).isFalse();
    }

    @Test
    void hashIsSlowOnPurpose() {
        PasswordHash passwords = new PasswordHash(new Binder(new MapConfigurationPropertySource(Map.of()))
                .bindOrCreate("content-api", CmsSettings.class));

        String hash = passwords.of("right");

        assertThat(hash).as("bcrypt of strength 11").startsWith("$2a$11$");
        assertThat(passwords.matches("right", hash)).isTrue();
        assertThat(passwords.matches("wrong", hash)).isFalse();
    }
}
