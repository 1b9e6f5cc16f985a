package io.github.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.http.adapter.AdapterMistake;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What a filter says that was told of nobody who wants to hear of mistakes. */
class LoggedMistakesTest {

    @Test
    void eachMistakeIsOneWarningWithItsNumber() {
        List<String> heard = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                heard.add(record.getLevel() + " " + record.getMessage().substring(0, 6));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(RateLimitFilter.class.getName());
        logger.addHandler(handler);
        try {
            LoggedMistakes mistakes = new LoggedMistakes();
            for (AdapterMistake mistake : AdapterMistake.values()) {
                mistakes.accept(mistake);
                mistakes.accept(mistake);
            }
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(heard).containsExactly("WARNING RL-011", "WARNING RL-014", "WARNING RL-010");
    }
}
