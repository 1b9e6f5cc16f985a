package com.example.orders

import io.github.ratelimit.spring.RateLimit
import kotlinx.coroutines.delay
import org.springframework.boot.autoconfigure.SpringBootApplication
import org.springframework.stereotype.Service
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.PathVariable
import org.springframework.web.bind.annotation.RestController

/** Controllers and services in Kotlin, with suspending functions. */
@SpringBootApplication
open class OrdersApplication

@RestController
class Orders(private val mails: Mails) {

    @GetMapping("/orders")
    @RateLimit("orders")
    suspend fun orders(): String {
        delay(1)
        return "orders"
    }

    @GetMapping("/mails/{to}")
    suspend fun mail(@PathVariable to: String): String = mails.send(to)
}

@Service
open class Mails {

    @RateLimit(permits = 1, window = "1h", key = ["#to"])
    open suspend fun send(to: String): String {
        delay(1)
        return "sent to $to"
    }
}
