package io.github.ratelimit.content.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The measurements that take minutes and say whether a bound holds, each in a process of its own: {@code -Pload}. */
@EnabledIfSystemProperty(named = "load", matches = "true")
final class LoadIT {
    @ParameterizedTest
    @ValueSource(strings = {"SiegeMain 600", "EachAttackMain 3", "CostMain"})
    void boundsHold(String measurement) throws IOException, InterruptedException {
        String[] words = measurement.split(" ");
        Path printed = Path.of("target", words[0] + ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path")));
        command.add(getClass().getPackageName() + "." + words[0]);
        command.addAll(List.of(words).subList(1, words.length));

        int status = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(printed.toFile())
                .start()
                .waitFor();

        assertThat(status).as(Files.readString(printed)).isZero();
    }
}
