package demo;

// region whole
import io.github.ratelimit.spring.RateLimit;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class OrderController {

    @PostMapping("/orders")
    @RateLimit(permits = 10, window = "1m", key = "client-address")
    public String order() {
        return "ordered";
    }
}
// endregion
