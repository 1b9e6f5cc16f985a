package io.github.ratelimit.content.widget;

import io.github.ratelimit.content.widget.api.ApiError;
import io.github.ratelimit.content.widget.api.Refuses;
import io.github.ratelimit.content.widget.api.Slice;
import io.github.ratelimit.content.widget.sync.WorkspaceToken;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;
import io.swagger.v3.oas.models.headers.Header;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.info.License;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import io.swagger.v3.oas.models.tags.Tag;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.method.HandlerMethod;

/** Says of each operation what is in no signature: who may call it, its words, and what every answer of the surfaces has. */
@Component
final class DescribedOperations implements OperationCustomizer, OpenApiCustomizer {

    private static final String NOT_CHANGED = "304";

    DescribedOperations() {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(VisitorSession.class, WorkspaceToken.class, Slice.class);
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        var mapping = handler.getMethodAnnotation(RequestMapping.class);
        List<MethodParameter> parameters = Arrays.asList(handler.getMethodParameters());
        if (mapping == null || mapping.params().length == 0) {
            say(operation, handler);
        } else if (operation.getRequestBody() != null) {
            operation.getRequestBody().setRequired(false);
        }
        boolean site = parameters.stream().anyMatch(parameter -> parameter.getParameterType() == WorkspaceToken.class);
        boolean visitor = parameters.stream()
                .anyMatch(parameter -> parameter.getParameterType() == VisitorSession.class
                        && !parameter.hasParameterAnnotation(RequestAttribute.class));
        operation.setTags(List.of(site ? "site" : "widget"));
        var token = new SecurityRequirement().addList(site ? "site" : "visitor");
        operation.setSecurity(site || visitor ? List.of(token) : List.of(new SecurityRequirement(), token));
        if (parameters.stream().anyMatch(parameter -> parameter.getParameterType() == Slice.class)) {
            operation.addParametersItem(new Parameter().$ref("Page"));
            operation.addParametersItem(new Parameter().$ref("PerPage"));
        }
        var refuses = handler.getMethodAnnotation(Refuses.class);
        if (refuses != null) {
            Arrays.stream(refuses.value()).forEach(status -> refers(operation, status));
        }
        return operation;
    }

    private static void say(Operation operation, HandlerMethod handler) {
        String comment = String.valueOf(Comments.of(handler.getMethod()));
        String[] sentences = comment.split("\\.(\\s+|$)", 2);
        operation.setOperationId(handler.getMethod().getName());
        operation.setSummary(sentences[0]);
        operation.setDescription(sentences[1].isEmpty() ? null : sentences[1]);
        Map<String, String> words = Comments.ofParameters(handler.getMethod());
        if (operation.getParameters() != null) {
            operation.getParameters().stream()
                    .filter(parameter -> words.containsKey(parameter.getName()))
                    .forEach(parameter -> parameter.setDescription(words.get(parameter.getName())));
        }
        Arrays.stream(handler.getMethodParameters())
                .filter(parameter -> parameter.hasParameterAnnotation(RequestBody.class))
                .forEach(parameter -> operation
                        .getRequestBody()
                        .setDescription(words.getOrDefault(
                                DescribedRecords.NAMES.translate(
                                        parameter.getParameter().getName()),
                                Comments.of(parameter.getParameterType()))));
        ResolvableType returned = ResolvableType.forMethodParameter(handler.getReturnType());
        Class<?> answer = returned.resolve() == ResponseEntity.class
                ? returned.getGeneric(0).toClass()
                : returned.toClass();
        operation.getResponses().forEach((status, response) -> {
            if (HttpStatus.valueOf(Integer.parseInt(status)).getReasonPhrase().equals(response.getDescription())) {
                response.setDescription(
                        status.equals(NOT_CHANGED)
                                ? "Nothing has changed"
                                : answer == void.class ? "It is done" : Comments.of(answer));
            }
        });
    }

    private static void refers(Operation operation, int status) {
        operation.getResponses().addApiResponse(Integer.toString(status), new ApiResponse().$ref("Status" + status));
    }

    @Override
    public void customise(OpenAPI description) {
        sayWhatItIs(description);
        addParts(description.getComponents());
        var paths = new Paths();
        paths.putAll(new TreeMap<>(description.getPaths()));
        description.setPaths(paths);
        paths.forEach((path, item) -> item.readOperationsMap()
                .forEach((method, operation) -> complete(operation, method, path.contains("{"))));
        Map<String, ?> schemas = description.getComponents().getSchemas();
        paths.values().stream()
                .flatMap(path -> path.readOperations().stream())
                .filter(operation -> operation.getRequestBody() != null)
                .forEach(operation -> operation
                        .getRequestBody()
                        .getContent()
                        .values()
                        .forEach(body -> loosen(body.getSchema(), schemas)));
        schemas.values().forEach(schema -> DescribedRecords.leaveOpen((Schema<?>) schema));
        // What its check asks for, which no annotation says.
        DescribedRecords.anyOf(
                DescribedRecords.meant(new Schema<>().$ref("DocumentDraft"), schemas),
                Stream.of("title", "content", "text", "body"));
    }

    private static void complete(Operation operation, PathItem.HttpMethod method, boolean named) {
        if (method == PathItem.HttpMethod.POST) {
            operation.addParametersItem(new Parameter().$ref("IdempotencyKey"));
        }
        operation.getResponses().values().stream()
                .filter(response -> response.get$ref() == null)
                .forEach(DescribedOperations::limited);
        if (operation.getResponses().containsKey(NOT_CHANGED)) {
            operation.addParametersItem(new Parameter().$ref("IfNoneMatch"));
            operation.getResponses().values().stream()
                    .filter(response -> response.get$ref() == null)
                    .forEach(response -> response.addHeaderObject("ETag", new Header().schema(new StringSchema())));
        }
        if (named && method != PathItem.HttpMethod.PUT) {
            refers(operation, 404);
        }
        refers(operation, 429);
        operation.getResponses().addApiResponse("default", new ApiResponse().$ref("Error"));
    }

    private static ApiResponse limited(ApiResponse response) {
        List.of("Limit", "Remaining", "Reset")
                .forEach(name -> response.addHeaderObject("X-RateLimit-" + name, new Header().$ref(name)));
        return response;
    }

    /** Lets a body have more members than are read, and lack those that may be null; an answer has all of its members, and no others. */
    private static void loosen(Schema<?> schema, Map<String, ?> schemas) {
        Schema<?> meant = DescribedRecords.meant(schema, schemas);
        meant.setAdditionalProperties(null);
        if (meant.getItems() != null) {
            loosen(meant.getItems(), schemas);
        }
        if (meant.getProperties() != null) {
            meant.getProperties().values().forEach(property -> loosen(property, schemas));
            meant.setRequired(Stream.ofNullable(meant.getRequired())
                    .flatMap(List::stream)
                    .filter(name -> !isNullable(meant.getProperties().get(name)))
                    .toList());
        }
    }

    private static boolean isNullable(@Nullable Schema<?> schema) {
        return schema != null && schema.getTypes() != null && schema.getTypes().contains("null");
    }

    private static void sayWhatItIs(OpenAPI description) {
        description
                .info(new Info()
                        .title("Widget and bulk-sync surface")
                        .version("1")
                        .license(new License().name("Apache-2.0").identifier("Apache-2.0"))
                        .description("""
                                What visitors' widgets and the plugins of content sites call. Every request at these paths counts against a limiter, whatever comes of
                                it, and every answer says what is left: `X-RateLimit-Limit`, `X-RateLimit-Remaining`, `X-RateLimit-Reset`. A 429 also says in
                                `Retry-After` when the budget is restored; waiting that long is enough.

                                Bodies of visitors have at most 64 KiB, those of sites 16 MiB, and none may be compressed.
                                """))
                .servers(List.of(new Server().url("/")))
                .tags(
                        List.of(
                                new Tag()
                                        .name("widget")
                                        .description(
                                                "What a visitor does. `widget-init` allows 1000 requests a minute from an address and agent, and 30000 an hour from an"
                                                        + " address; `widget-session` 300 a minute, and `widget-leads` 30, of a conversation; typing 600, satisfaction 60"
                                                        + " and coupons 120 a minute, of an address."),
                                new Tag()
                                        .name("site")
                                        .description(
                                                "What a site's plugin does. `cms-plugin` allows 60 requests a minute of a workspace token.")));
    }

    private static void addParts(Components components) {
        components
                .addSecuritySchemes("visitor", bearer("The token of `init`").bearerFormat("JWT"))
                .addSecuritySchemes("site", bearer("A token of the workspace"))
                .addParameters("Page", paging("page", "The page, from 1", 1, null))
                .addParameters("PerPage", paging("per_page", "The most items on a page", 50, 100))
                .addParameters(
                        "IfNoneMatch",
                        new HeaderParameter()
                                .name("If-None-Match")
                                .description("The ETag of an earlier answer")
                                .schema(new StringSchema()))
                .addParameters(
                        "IdempotencyKey",
                        new HeaderParameter()
                                .name("Idempotency-Key")
                                .description(
                                        "For a day, a request with the same key, path and body is answered as the first time, with"
                                                + " `Idempotency-Replayed: true`, and nothing is done twice.")
                                .schema(new StringSchema().minLength(1).maxLength(255)))
                .addHeaders("Limit", header("The most requests of the current window", 1))
                .addHeaders("Remaining", header("The requests that are left", 0))
                .addHeaders("Reset", header("When the budget is restored: seconds since 1970-01-01T00:00:00Z", 0))
                .addHeaders("RetryAfter", header("The seconds to wait", 1))
                .addResponses("Status404", error("There is none, or it is another workspace's"))
                .addResponses("Status409", error("It cannot be done now; `code` says why"))
                .addResponses("Status410", error("It has expired"))
                .addResponses(
                        "Status413",
                        error(
                                "The body is too long (`too_large`), or the workspace would hold too much (`quota_exceeded`)"))
                .addResponses(
                        "Status429",
                        error("The limiter is used up until `X-RateLimit-Reset`")
                                .addHeaderObject("Retry-After", new Header().$ref("RetryAfter")))
                .addResponses(
                        "Error",
                        error(
                                "Anything else: no valid token (401), a body that cannot be read (400, 415), is too long (413) or does not fit (422,"
                                        + " with `fields`), a method that is not served (405), an `Accept` without the type of the answer (406), a body that comes too slowly (408), a key whose request is being served, or what was changed meanwhile (409), a server that is"
                                        + " busy (503) or fails (500)"));
        ModelConverters.getInstance(true).readAll(ApiError.class).forEach(components::addSchemas);
    }

    private static SecurityScheme bearer(String description) {
        return new SecurityScheme()
                .type(SecurityScheme.Type.HTTP)
                .scheme("bearer")
                .description(description);
    }

    private static Parameter paging(String name, String description, int usual, @Nullable Integer most) {
        IntegerSchema number = number(1);
        number.setMaximum(most == null ? null : BigDecimal.valueOf(most));
        number.setDefault(usual);
        return new QueryParameter().name(name).description(description).schema(number);
    }

    private static IntegerSchema number(int least) {
        var number = new IntegerSchema();
        number.setFormat(null);
        number.setMinimum(BigDecimal.valueOf(least));
        return number;
    }

    private static Header header(String description, int least) {
        return new Header().description(description).schema(number(least));
    }

    private static ApiResponse error(String description) {
        return limited(new ApiResponse().description(description))
                .content(new Content()
                        .addMediaType("application/json", new MediaType().schema(new Schema<>().$ref("ApiError"))));
    }
}
