package demo

import io.github.ratelimit.Key
import io.github.ratelimit.Limit
import io.github.ratelimit.Limiter
import io.github.ratelimit.spring.RateLimit
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.await
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.stereotype.Service
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PostMapping
import org.springframework.web.bind.annotation.RequestParam
import org.springframework.web.bind.annotation.RestController
import java.time.Duration

/** The Kotlin of docs/recipes.md. A test compiles it, all warnings as errors, and runs it. */
@SpringBootApplication(proxyBeanMethods = false)
class Searches

// region controller
@RestController
class SearchController(private val search: SearchService) {

    @GetMapping("/search")
    @RateLimit("search")
    suspend fun search(@RequestParam q: String) = search.find(q)
}
// endregion

@Service
class SearchService {

    suspend fun find(q: String): String {
        delay(1) // another thread goes on
        return "found $q"
    }
}

// region bean
@Service
open class Mails { // Spring makes a subclass; the compiler's plugin "spring" would open it

    @RateLimit(permits = 2, window = "1h", key = ["#to"]) // its limiter is called Mails.send-String
    open suspend fun send(to: String) = "sent to $to"
}
// endregion

data class Mail(val sender: String)

@RestController
class MailController(private val mails: Mails) {

    private val limiter = Limiter.of("mail", Limit.of(1, Duration.ofHours(1))) { mail: Mail -> Key.of(mail.sender) }

    suspend fun isAllowed(mail: Mail) = limiter.acquireAsync(mail, 1, Duration.ofSeconds(2)).await().allowed()

    @PostMapping("/mails")
    suspend fun send(@RequestParam to: String) = mails.send(to)

    @GetMapping("/mail")
    suspend fun take(@RequestParam sender: String) = isAllowed(Mail(sender)).toString()
}
