package com.example.graph;

import graphql.ErrorClassification;
import graphql.GraphqlErrorBuilder;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.RateLimitException;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.graphql.data.method.annotation.QueryMapping;
import org.springframework.graphql.execution.DataFetcherExceptionResolver;
import org.springframework.stereotype.Controller;
import org.springframework.stereotype.Service;

/** A controller of GraphQL, and the recipe of the manual. */
@SpringBootApplication
public class GraphApplication {

    // region graphql
    @Bean
    DataFetcherExceptionResolver rejections() {
        return DataFetcherExceptionResolver.forSingleError((failure, field) -> failure instanceof RateLimitException
                ? GraphqlErrorBuilder.newError(field)
                        .errorType(ErrorClassification.errorClassification("TOO_MANY_REQUESTS"))
                        .message(failure.getMessage()) // tells when to try again
                        .build()
                : null); // another resolver's
    }
    // endregion

    @Service
    static class Prices {

        @RateLimit("prices")
        public String now() {
            return "42";
        }
    }

    @Controller
    static class Quotes {

        private final Prices prices;

        Quotes(Prices prices) {
            this.prices = prices;
        }

        @QueryMapping
        String price() {
            return prices.now();
        }
    }
}
