package io.github.ratelimit.content.widget.api;

import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverters;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.type.LogicalType;

/** What {@code spring.jackson.*} cannot say: a number or a truth value is no text, and nothing is read or answered but JSON. */
@Configuration(proxyBeanMethods = false)
class JsonConfiguration implements WebMvcConfigurer {

    /** Springdoc brings a library of YAML. Spring would read and write bodies by it, past every bound that is set for JSON. */
    @Override
    public void configureMessageConverters(HttpMessageConverters.ServerBuilder builder) {
        builder.configureMessageConvertersList(converters -> converters.removeIf(
                converter -> converter.getSupportedMediaTypes().contains(MediaType.APPLICATION_YAML)));
    }

    @Bean
    JsonMapperBuilderCustomizer textIsText() {
        return builder -> builder.withCoercionConfig(
                LogicalType.Textual,
                text -> text.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                        .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail));
    }
}
