package io.github.ratelimit.content.cms.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.shared.settings.InvalidSettingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PasswordHashTest {

    private static SecurityProperties properties(int atOnce, int waiting) {
        return new SecurityProperties(
                Path.of("."),
                null,
                new SecurityProperties.PasswordHashes(atOnce, waiting),
                new SecurityProperties.ApplicationPasswordSettings(true),
                new SecurityProperties.Provision(List.of()));
    }

    @Test
    void crowdIsToldToComeBackAndLeavesNothingBehind() throws Exception {
        PasswordHash passwords = new PasswordHash(properties(1, 1));
        String hash = passwords.of("right");
        int crowd = 16;
        CyclicBarrier start = new CyclicBarrier(crowd);
        ExecutorService threads = Executors.newFixedThreadPool(crowd);
        try {
            List<Future<String>> tries = new ArrayList<>();
            for (int i = 0; i < crowd; i++) {
                tries.add(threads.submit(() -> {
                    start.await();
                    try {
                        return String.valueOf(passwords.matches("right", hash));
                    } catch (Accounts.BusyException busy) {
                        return "busy";
                    }
                }));
            }
            List<String> found = new ArrayList<>();
            for (Future<String> one : tries) {
                found.add(one.get());
            }
            assertThat(found).contains("true", "busy").doesNotContain("false");
            assertThat(Collections.frequency(found, "true")).isLessThan(crowd / 2);
        } finally {
            threads.shutdownNow();
        }

        assertThat(passwords.matches("right", hash)).isTrue();
        assertThat(passwords.matches("wrong", hash)).isFalse();
    }

    @Test
    void boundsThatStopEverybodyAreRefused() {
        assertThatThrownBy(() -> new SecurityProperties.PasswordHashes(0, 20))
                .isInstanceOf(InvalidSettingException.class)
                .hasMessageContaining("content-api.password-hashes.at-once");
        assertThatThrownBy(() -> new SecurityProperties.PasswordHashes(1, -1))
                .isInstanceOf(InvalidSettingException.class);
    }
}
