package io.github.ratelimit.content.cms.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.settings.CmsSettings;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
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
    void crowdIsToldToComeBackAndLeavesNothingBehind() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        PasswordHash passwords = new PasswordHash(new CmsSettings.PasswordHashes(1, 1), new HeldEncoder(goOn));
        String hash = passwords.of("right");
        int crowd = 16;
        CountDownLatch rejected = new CountDownLatch(crowd - 2);
        ExecutorService threads = Executors.newFixedThreadPool(crowd);
        try {
            List<Future<String>> tries = new ArrayList<>();
            for (int i = 0; i < crowd; i++) {
                tries.add(threads.submit(() -> {
                    try {
                        return String.valueOf(passwords.matches("right", hash));
                    } catch (Accounts.BusyException busy) {
                        rejected.countDown();
                        return "busy";
                    }
                }));
            }
            assertThat(rejected.await(60, TimeUnit.SECONDS)).isTrue();
            goOn.countDown();
            List<String> found = new ArrayList<>();
            for (Future<String> one : tries) {
                found.add(one.get());
            }
            assertThat(Collections.frequency(found, "busy")).isEqualTo(crowd - 2);
            assertThat(Collections.frequency(found, "true"))
                    .as("one and who waits")
                    .isEqualTo(2);
        } finally {
            threads.shutdownNow();
        }

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
