package com.example.legacy;

import io.github.ratelimit.spring.RateLimit;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The first example of README, and limiters with names. */
@RestController
class OrderController {

    @PostMapping("/orders")
    @RateLimit(permits = 10, window = "1m", key = "client-address")
    String order() {
        return "ordered";
    }

    @GetMapping("/parcels")
    @RateLimit(name = "parcelSearch", permits = 2, window = "day", key = "header:X-Tenant", count = "successes")
    String parcels() {
        return "parcels";
    }

    @GetMapping("/parcels/open")
    String open() {
        return "open";
    }
}
