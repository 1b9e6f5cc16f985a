package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.SpringDocCustomizers;
import org.springdoc.core.properties.SpringDocConfigProperties;
import org.springdoc.core.providers.SpringDocProviders;
import org.springdoc.core.service.AbstractRequestService;
import org.springdoc.core.service.GenericResponseService;
import org.springdoc.core.service.OpenAPIService;
import org.springdoc.core.service.OperationService;
import org.springdoc.webmvc.api.OpenApiResource;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.stereotype.Component;

/**
 * The description of the surfaces, as their controllers are written. Springdoc's own addresses are not served: they make a document for each
 * language and each host that a caller names, and keep them all.
 */
@Component
final class Description extends OpenApiResource {

    private byte @Nullable [] yaml;

    Description(
            ObjectFactory<OpenAPIService> services,
            AbstractRequestService requests,
            GenericResponseService responses,
            OperationService operations,
            SpringDocConfigProperties properties,
            SpringDocProviders providers,
            SpringDocCustomizers customizers) {
        super(services, requests, responses, operations, properties, providers, customizers);
    }

    /** Returns the description; made at the first call. */
    synchronized byte[] yaml() throws JsonProcessingException {
        if (yaml == null) {
            yaml = writeYamlValue(getOpenApi(Locale.ROOT));
        }
        return yaml;
    }

    @Override
    protected String getServerUrl(HttpServletRequest request, String path) {
        return "/";
    }
}
