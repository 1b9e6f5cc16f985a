package io.github.ratelimit.content;

import io.github.ratelimit.TimeSource;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.annotation.Bean;

/** Starts the reference server. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class ContentApiApplication {

    private static final String HELP = """
            java -jar content-api-reference.jar [--property=value ...]

              --server.port=8080            the port to listen on
              --content-api.data-dir=./data the folder of the embedded database and the uploads
              --content-api.demo=false      start without the demonstration site
              --spring.datasource.url=jdbc:postgresql://host/database
                                            use PostgreSQL; add --spring.datasource.username and .password
              --ratelimit.store=postgresql  share the limits between several servers, in their PostgreSQL
              --ratelimit.store=redis --ratelimit.redis.uri=redis://host:6379
                                            share them on Redis

            Each property can also be an environment variable, such as CONTENT_API_DATA_DIR.
            """;

    /**
     * Starts the server and returns when it serves.
     *
     * @param args Spring Boot arguments, for example {@code --server.port=0}; {@code --help} prints the most important ones and starts nothing
     */
    public static void main(String[] args) {
        // Java keeps a buffer outside the heap for each thread, as large as the largest write that it ever made. The
        // embedded database writes whole
        // texts, so a few authors filled all memory there, and it closed itself. Read by Java at the first such write.
        System.getProperties().putIfAbsent("jdk.nio.maxCachedBufferSize", "65536");
        if (List.of(args).contains("--help")) {
            System.out.print(HELP);
            return;
        }
        SpringApplication.run(ContentApiApplication.class, args);
    }

    /** The one clock of the server and its limiters; a test replaces it by one that it moves. */
    @Bean
    @ConditionalOnMissingBean
    static TimeSource clock() {
        return TimeSource.system();
    }
}
