package demo

import io.github.ratelimit.Charge
import io.github.ratelimit.Decision
import io.github.ratelimit.InProcessStore
import io.github.ratelimit.Store
import io.github.ratelimit.spring.RateLimit
import io.github.ratelimit.spring.RateLimitException
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.stereotype.Component
import java.util.concurrent.CompletableFuture
import java.util.concurrent.Executors
import java.util.function.ToLongFunction

/** A limited suspend function beside another coroutine, both on one thread. */
@SpringBootApplication(proxyBeanMethods = false)
class Suspending

/** Answers when it is told to. */
@Component
class Gate : Store {
    private val store = InProcessStore.create()
    val open = CompletableFuture<Unit>()

    override fun tryAcquireAsync(charges: List<Charge>): CompletableFuture<Decision> =
        open.thenCompose { store.tryAcquireAsync(charges) }

    override fun settleAsync(decision: Decision, actual: ToLongFunction<Charge>): CompletableFuture<Void> =
        store.settleAsync(decision, actual)

    override fun resetAsync(charges: List<Charge>): CompletableFuture<Void> = store.resetAsync(charges)
}

@Component
open class Letters {

    @RateLimit(permits = 1, window = "1h", key = ["#to"])
    open suspend fun send(to: String) = "sent"
}

@Component
class Turns(private val gate: Gate, private val letters: Letters) {

    fun take(): List<String> {
        val said = mutableListOf<String>()
        Executors.newSingleThreadExecutor().asCoroutineDispatcher().use { thread ->
            runBlocking(thread) {
                launch {
                    said.add("other")
                    gate.open.complete(Unit)
                }
                said.add(letters.send("ann"))
                said.add("rejected: " + (runCatching { letters.send("ann") }.exceptionOrNull() is RateLimitException))
            }
        }
        return said
    }
}
