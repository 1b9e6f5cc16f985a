package io.github.ratelimit.content.demo;

import io.github.ratelimit.Store;
import io.github.ratelimit.spring.live.LivePage;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaTypeFactory;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The page of a made-up shop with the widget in it, and beside it what makes limits visible. */
@Controller
class DemoPage {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final boolean isWanted;
    private final boolean hasControls;

    DemoPage(DemoProperties properties, Environment environment, Store store) {
        this.isWanted = properties.isWanted(environment);
        this.hasControls = store instanceof SwitchedStore;
    }

    /** Sends the page or one of its files. The theme is that of the live page. */
    @GetMapping({"/demo", "/demo/{name:demo\\.css|demo\\.js|theme\\.js}"})
    void file(@PathVariable(name = "name", required = false) @Nullable String file, HttpServletResponse response)
            throws IOException {
        if (!isWanted) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        String name = Objects.requireNonNullElse(file, "demo.html");
        Class<?> beside = name.equals("theme.js") ? LivePage.class : DemoPage.class;
        try (InputStream from = beside.getResourceAsStream(name)) {
            if (from == null) {
                throw new IllegalStateException("missing from the jar: " + name);
            }
            byte[] content = new String(from.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("{{controls}}", Boolean.toString(hasControls))
                    .getBytes(StandardCharsets.UTF_8);
            response.setContentType(MediaTypeFactory.getMediaType(name).orElseThrow() + ";charset=UTF-8");
            response.setHeader("Content-Security-Policy", POLICY);
            response.setHeader("Referrer-Policy", "no-referrer");
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.setHeader(HttpHeaders.CACHE_CONTROL, CacheControl.noCache().getHeaderValue());
            response.setContentLength(content.length);
            response.getOutputStream().write(content);
        }
    }
}
