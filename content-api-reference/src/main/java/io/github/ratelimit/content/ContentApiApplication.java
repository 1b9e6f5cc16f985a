package io.github.ratelimit.content;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** Starts the reference server. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class ContentApiApplication {

    /**
     * Starts the server and returns when it serves.
     *
     * @param args Spring Boot arguments, for example {@code --server.port=0}
     */
    public static void main(String[] args) {
        SpringApplication.run(ContentApiApplication.class, args);
    }
}
