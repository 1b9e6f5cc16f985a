package io.github.ratelimit.spring.autoconfigure;

import io.github.ratelimit.servlet.RequestCost;
import io.github.ratelimit.spring.RateLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The annotation keeps the promises of every adapter. */
class InterceptorHttpContractTest extends SpringHttpContract {

    @Override
    RunningApplication.Builder application(ToLongFunction<String> cost) {
        RequestCost asked = (name, request) -> cost.applyAsLong(name);
        return RunningApplication.of(Application.class, Limited.class, Others.class)
                .servingOnly()
                .bean(RequestCost.class, asked)
                .property("ratelimit.limiters.contract.paths", "/twice, /phases");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    @RestController
    @RequestMapping("/limited")
    @RateLimit("contract")
    static class Limited {

        @GetMapping("/{status:\\d+}")
        ResponseEntity<Map<String, Integer>> answer(@PathVariable int status) {
            return ResponseEntity.status(status).body(Map.of("status", status));
        }

        @GetMapping("/thrown")
        void fail() {
            throw new IllegalStateException("thrown on purpose");
        }
    }

    @RestController
    static class Others {

        @GetMapping("/forwarded")
        @RateLimit("contract")
        void forward(HttpServletRequest request, HttpServletResponse response) throws Exception {
            request.getRequestDispatcher("/limited/200").forward(request, response);
        }

        @GetMapping("/twice")
        @RateLimit("contract")
        @RateLimit("contract")
        String twice() {
            return "twice";
        }

        @GetMapping("/both")
        @RateLimit("contract")
        @RateLimit("strict")
        String both() {
            return "both";
        }

        @GetMapping("/phases")
        @RateLimit("late")
        String phases() {
            return "phases";
        }

        @GetMapping("/secret/pot")
        @RateLimit("strict")
        String pot() {
            return SERVED;
        }

        @GetMapping("/free")
        String free() {
            return "free";
        }
    }
}
