package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.core.JsonProcessingException;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Hands out the description of the widget and bulk-sync surface (OpenAPI 3.1), to which the tests hold both. */
@RestController
class DescriptionController {

    private final Description description;

    DescriptionController(Description description) {
        this.description = description;
    }

    @GetMapping(path = "/openapi.yaml", produces = "application/yaml")
    Resource description() throws JsonProcessingException {
        return new ByteArrayResource(description.yaml());
    }
}
