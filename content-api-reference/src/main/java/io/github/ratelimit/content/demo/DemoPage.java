package io.github.ratelimit.content.demo;

import io.github.ratelimit.Store;
import io.github.ratelimit.spring.live.LivePage;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.springframework.core.env.Environment;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

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

    @GetMapping("/demo")
    void page(HttpServletResponse response) throws IOException {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("Referrer-Policy", "no-referrer");
        send(DemoPage.class, "demo.html", "text/html;charset=UTF-8", response);
    }

    @GetMapping("/demo/demo.css")
    void style(HttpServletResponse response) throws IOException {
        send(DemoPage.class, "demo.css", "text/css;charset=UTF-8", response);
    }

    @GetMapping("/demo/demo.js")
    void script(HttpServletResponse response) throws IOException {
        send(DemoPage.class, "demo.js", "text/javascript;charset=UTF-8", response);
    }

    /** The same one as on the live page. */
    @GetMapping("/demo/theme.js")
    void theme(HttpServletResponse response) throws IOException {
        send(LivePage.class, "theme.js", "text/javascript;charset=UTF-8", response);
    }

    private void send(Class<?> beside, String name, String type, HttpServletResponse response) throws IOException {
        if (!isWanted) {
            response.sendError(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        try (InputStream from = beside.getResourceAsStream(name)) {
            if (from == null) {
                throw new IllegalStateException("missing from the jar: " + name);
            }
            byte[] content = new String(from.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("{{controls}}", Boolean.toString(hasControls))
                    .getBytes(StandardCharsets.UTF_8);
            response.setContentType(type);
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.setHeader(HttpHeaders.CACHE_CONTROL, CacheControl.noCache().getHeaderValue());
            response.setContentLength(content.length);
            response.getOutputStream().write(content);
        }
    }
}
