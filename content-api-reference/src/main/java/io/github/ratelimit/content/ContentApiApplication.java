package io.github.ratelimit.content;

import io.github.ratelimit.content.accesslog.ReplayCommand;
import io.github.ratelimit.content.shared.container.OutOfMemory;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.logging.LoggingSystem;

/** Starts the reference server, or replays an access log. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class ContentApiApplication {

    /**
     * Starts the server and returns when it serves; or, where the first argument is {@code replay}, runs {@link ReplayCommand} and ends the
     * process.
     *
     * @param args Spring Boot arguments, for example {@code --server.port=0}
     */
    public static void main(String[] args) {
        if (args.length > 0 && args[0].equals(ReplayCommand.NAME)) {
            LoggingSystem.get(ContentApiApplication.class.getClassLoader())
                    .beforeInitialize(); // nothing but the report
            System.exit(ReplayCommand.run(Arrays.asList(args).subList(1, args.length), System.out, System.err));
        }
        OutOfMemory.watchAllThreads();
        SpringApplication.run(ContentApiApplication.class, args);
    }
}
