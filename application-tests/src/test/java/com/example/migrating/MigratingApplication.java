package com.example.migrating;

import io.github.ratelimit.spring.RateLimit;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that has limited by hand until now, with the class names that everybody chooses. */
@SpringBootApplication
public class MigratingApplication {

    @RestController
    static class Search {

        @GetMapping("/search")
        @RateLimit("search")
        String search() {
            return "found";
        }
    }
}
