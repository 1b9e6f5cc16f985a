package org.springframework.samples;

import io.github.ratelimit.spring.RateLimit;
import org.springframework.stereotype.Controller;

/** An application's, as Spring's own samples have them. */
@Controller
public class Clinic {

    @RateLimit("visits")
    public void visit() {}
}
