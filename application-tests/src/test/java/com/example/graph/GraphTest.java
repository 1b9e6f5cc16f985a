package com.example.graph;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Start;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.graphql.ExecutionGraphQlService;
import org.springframework.graphql.data.method.annotation.support.AnnotatedControllerConfigurer;
import org.springframework.graphql.execution.DataFetcherExceptionResolver;
import org.springframework.graphql.execution.DefaultExecutionGraphQlService;
import org.springframework.graphql.execution.GraphQlSource;
import org.springframework.graphql.support.DefaultExecutionGraphQlRequest;

/** A service behind GraphQL, which is made as Spring Boot makes it: its module for GraphQL is not at hand for all lines. */
class GraphTest {

    @Test
    void rejectionIsAnErrorThatTellsWhenToTryAgain() {
        try (ConfigurableApplicationContext application =
                Start.of(GraphApplication.class, "--spring.main.web-application-type=none")) {
            AnnotatedControllerConfigurer controllers = new AnnotatedControllerConfigurer();
            controllers.setApplicationContext(application);
            controllers.afterPropertiesSet();
            ExecutionGraphQlService service = new DefaultExecutionGraphQlService(GraphQlSource.schemaResourceBuilder()
                    .schemaResources(
                            new ByteArrayResource("type Query { price: String }".getBytes(StandardCharsets.UTF_8)))
                    .configureRuntimeWiring(controllers)
                    .exceptionResolvers(application
                            .getBeanProvider(DataFetcherExceptionResolver.class)
                            .orderedStream()
                            .toList())
                    .build());

            assertThat(ask(service)).isEqualTo("{data={price=42}}");
            assertThat(ask(service))
                    .contains("data={price=null}", "message=Too many requests; try again in ", "path=[price]")
                    .contains("classification=TOO_MANY_REQUESTS");
        }
    }

    private static String ask(ExecutionGraphQlService service) {
        return service.execute(new DefaultExecutionGraphQlRequest("{ price }", null, null, null, "1", null))
                .blockOptional()
                .orElseThrow()
                .toMap()
                .toString();
    }
}
