package com.example.rest;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;

/** Jersey without Spring MVC. */
@SpringBootApplication
public class RestApplication {

    @Bean
    ServletRegistrationBean<ServletContainer> jersey() {
        return new ServletRegistrationBean<>(new ServletContainer(new ResourceConfig(Books.class)), "/*");
    }

    /** A resource. */
    @Path("/books")
    public static class Books {

        @GET
        public String books() {
            return "books";
        }
    }
}
