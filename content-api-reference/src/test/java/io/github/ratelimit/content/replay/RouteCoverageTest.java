package io.github.ratelimit.content.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** No method of the interface document's route list is left without a recording of its success, whose body is compared. */
final class RouteCoverageTest {

    @Test
    void everyMethodOfEveryRouteHasARecordingOfItsSuccess() throws IOException {
        Recordings recordings = Recordings.ofTheProject();
        Set<String> covered = new TreeSet<>();
        for (String topic : recordings.topics()) {
            for (List<Recordings.Capture> group : recordings.topic(topic)) {
                group.stream().filter(RouteCoverageTest::showsSuccess).forEach(capture -> covered.add(shape(capture)));
            }
        }

        assertThat(covered).containsAll(documented());
    }

    private static boolean showsSuccess(Recordings.Capture capture) {
        int status = capture.response().path("status").asInt();
        return !capture.advisory()
                && status >= 200
                && status < 300
                && capture.response().has("body");
    }

    private static String shape(Recordings.Capture capture) {
        String route = capture.request().route();
        return capture.request().method() + " " + route.replaceAll("/(?:\\{\\{[^}]*\\}\\}|\\d+)(?=/|$)", "/<>");
    }

    private static List<String> documented() throws IOException {
        List<String> documented = new ArrayList<>();
        try (InputStream list =
                Objects.requireNonNull(RouteCoverageTest.class.getResourceAsStream("/route-list.txt"))) {
            for (String line : new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                if (!line.startsWith("#")) {
                    String[] methodsAndRoute = line.split(" ", 2);
                    for (String method : methodsAndRoute[0].split(",")) {
                        documented.add(method + " " + methodsAndRoute[1].replaceAll("<\\w+>", "<>"));
                    }
                }
            }
        }
        assertThat(documented).hasSizeGreaterThan(50);
        return documented;
    }
}
