package demo;

import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Store;
import io.github.ratelimit.spring.RateLimit;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;

/** The application without web of docs/spring.md. A test compiles and runs it on each line of Spring Boot, without Spring Web. */
@SpringBootApplication
public class Jobs {

    public static void main(String[] arguments) {
        SpringApplication.run(Jobs.class, arguments);
    }

    // region without-web
    @Bean
    Limiter<String> mails(Store store) { // in this process or shared, as the properties say
        return Limiter.of(LimiterSpec.of("mails", Limit.of(2, Duration.ofHours(1)), Key::of), store);
    }

    @Component
    static class Mailer {

        private final Limiter<String> mails;

        Mailer(Limiter<String> mails) {
            this.mails = mails;
        }

        public boolean send(String customer) {
            return mails.tryAcquire(customer).allowed(); // or acquire(customer, 1, maxWait), to wait for its turn
        }
    }
    // endregion

    // region methods
    @Service
    static class Reports {

        @RateLimit("reports") // described in application.yml, by the key #tenant
        public String of(String tenant) {
            return "report of " + tenant;
        }

        @RateLimit(permits = 1, window = "1m", key = "#order.customer()")
        public CompletionStage<String> confirm(Order order) {
            return CompletableFuture.completedFuture("confirmed"); // a rejection is how the stage fails
        }

        @Scheduled(fixedDelay = 10, timeUnit = TimeUnit.SECONDS)
        @RateLimit(permits = 60, window = "1h", key = "everybody", maxWait = "2s")
        public void poll() {}
    }

    record Order(String customer, int number) {}
    // endregion
}
