package io.github.ratelimit.content.widget;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Hands out the description of the widget and bulk-sync surface (OpenAPI 3.1), to which the tests hold both. */
@RestController
class DescriptionController {

    @GetMapping(path = "/openapi.yaml", produces = "application/yaml")
    Resource description() {
        return new ClassPathResource("openapi.yaml", getClass());
    }
}
