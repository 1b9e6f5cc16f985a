package io.github.ratelimit.content.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import org.openqa.selenium.chrome.ChromeDriver;

/** Looks for what people cannot see, hear or reach who use a keyboard, a screen reader or a theme of high contrast. Frames are not entered. */
final class Axe {

    private static final String RUN = """
            const done = arguments[arguments.length - 1];
            axe.run(document, { iframes: false, resultTypes: ["violations"] }).then(
              (result) => done(result.violations.flatMap((each) => each.nodes.map((node) =>
                `${each.id}: ${each.help}: ${node.target.join(" ")}: ${node.failureSummary}`))),
              (failure) => done([String(failure)]));
            """;

    private Axe() {}

    /** What is wrong with the page as it is now, by all rules: a sentence for each element. */
    static List<?> violations(ChromeDriver browser) {
        browser.executeScript(script());
        return (List<?>) requireNonNull(browser.executeAsyncScript(RUN));
    }

    private static String script() {
        try (InputStream from = requireNonNull(Axe.class.getResourceAsStream("/axe.min.js"))) {
            return new String(from.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
