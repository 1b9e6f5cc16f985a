package io.github.ratelimit.content.widget.repeat;

import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletOrigin;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Puts the filter behind everything that may refuse a request. */
@Configuration(proxyBeanMethods = false)
class RepeatConfiguration {

    // Behind the filters that limit, which stand at -110 and -90.
    private static final int BEHIND_LIMITS = -50;

    @Bean
    FilterRegistrationBean<RepeatedRequestFilter> repeatedRequestFilter(
            RepeatedRequests requests, ClientAddress addresses, ServletOrigin origin, JsonMapper mapper) {
        var registration = new FilterRegistrationBean<>(new RepeatedRequestFilter(requests, addresses, origin, mapper));
        registration.addUrlPatterns("/api/v1/widget/*", "/v1/cms/*");
        registration.setOrder(BEHIND_LIMITS);
        return registration;
    }
}
