package demo;

// region whole
import io.github.ratelimit.spring.RateLimit;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class OrderController {

    @PostMapping("/orders")
    @RateLimit("orders") // described in application.yml
    public String order() {
        return "ordered";
    }
}
// endregion
