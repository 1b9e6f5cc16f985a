package io.github.ratelimit.content.widget;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.github.ratelimit.content.widget.api.PlainText;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Makes the schemas of records, and completes them by what their components say: comments, {@link PlainText}, {@link Nullable}. The last that
 * springdoc asks.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class DescribedRecords extends ModelResolver {

    static final PropertyNamingStrategies.NamingBase NAMES = new PropertyNamingStrategies.SnakeCaseStrategy();

    DescribedRecords(ObjectMapperProvider mappers) {
        // A copy: the library clones its own classes by the mapper, by their own names. It is Jackson 2, which does not
        // know our annotations.
        super(mappers.jsonMapper().copy().setPropertyNamingStrategy(NAMES));
        openapi31(true);
    }

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        Class<?> record = _mapper.constructType(type.getType()).getRawClass();
        if (record == JsonNode.class) {
            return new Schema<>();
        }
        Schema<?> schema = super.resolve(type, context, chain);
        if (schema != null && record.isRecord()) {
            Schema<?> defined = meant(schema, context.getDefinedModels());
            if (defined.getAdditionalProperties() == null) {
                defined.setDescription(Comments.of(record));
                defined.setRequired(new ArrayList<>());
                complete(defined, record);
                defined.setAdditionalProperties(false);
            }
        }
        return schema;
    }

    private static void complete(Schema<?> schema, Class<?> record) {
        Map<String, String> comments = Comments.ofComponents(record);
        for (RecordComponent component : record.getRecordComponents()) {
            String name = NAMES.translate(component.getName());
            Schema<?> property = schema.getProperties().get(name);
            if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
                complete(schema, component.getType());
            } else if (property != null) {
                property.setDescription(comments.get(name));
                complete(property, component);
                var other = component.getAccessor().getAnnotation(JsonAlias.class);
                if (other != null) {
                    Arrays.stream(other.value()).forEach(alias -> schema.addProperty(alias, property));
                    if (!isNullable(component)) {
                        anyOf(schema, Stream.concat(Stream.of(name), Arrays.stream(other.value())));
                    }
                } else if (!component.getAccessor().isAnnotationPresent(JsonInclude.class)) {
                    schema.addRequiredItem(name);
                }
            }
        }
    }

    private static void complete(Schema<?> property, RecordComponent component) {
        var text = component.getAnnotatedType().getAnnotation(PlainText.class);
        if (text != null) {
            property.setMaxLength(text.max());
            property.setMinLength(text.required() ? 1 : null);
        }
        var said = component.getAccessor().getAnnotation(io.swagger.v3.oas.annotations.media.Schema.class);
        if (said != null && said.types().length > 0) {
            property.setTypes(new LinkedHashSet<>(List.of(said.types())));
        }
        if (property.getPattern() != null) {
            property.setPattern("^(?:" + property.getPattern() + ")$"); // Bean Validation means the whole text
        }
        if (isNullable(component) && !component.getAccessor().isAnnotationPresent(JsonInclude.class)) {
            property.addType("null");
        }
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    /** Returns what a schema refers to; itself where it refers to nothing. */
    static Schema<?> meant(Schema<?> schema, Map<String, ?> schemas) {
        String reference = schema.get$ref();
        return reference == null
                ? schema
                : (Schema<?>) Objects.requireNonNull(schemas.get(reference.replaceFirst(".*/", "")), reference);
    }

    /**
     * Names no type where there are several beside null: generators would name one by its parts and make none of that name, for {@code oneOf}
     * as well. Its words say what it may be.
     */
    static void leaveOpen(Schema<?> schema) {
        Set<String> types = schema.getTypes();
        if (types != null && types.stream().filter(type -> !type.equals("null")).count() > 1) {
            schema.setTypes(null);
            schema.setMinLength(null);
            schema.setMaxLength(null);
            schema.setRequired(null);
        }
        if (schema.getItems() != null) {
            leaveOpen(schema.getItems());
        }
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(DescribedRecords::leaveOpen);
        }
    }

    /** Asks for one of these members. */
    static void anyOf(Schema<?> schema, Stream<String> names) {
        names.forEach(name -> schema.addAnyOfItem(new Schema<>().addRequiredItem(name)));
    }
}
