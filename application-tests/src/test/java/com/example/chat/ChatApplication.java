package com.example.chat;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import io.github.ratelimit.Limiter;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.Store;
import io.github.ratelimit.test.TestClock;
import java.security.Principal;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageDeliveryException;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.WebSocketHandler;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.server.support.DefaultHandshakeHandler;

/** A chat, and the recipe of the manual. */
@SpringBootApplication
public class ChatApplication {

    // region stomp
    @Component
    static class MessageLimit implements ChannelInterceptor {

        private final Limiter<String> messages;

        MessageLimit(Store store) { // in this process or shared, as the properties say
            messages = Limiter.of(LimiterSpec.of("messages", Limit.of(20, Duration.ofMinutes(1)), Key::of), store);
        }

        @Override
        public Message<?> preSend(Message<?> message, MessageChannel channel) {
            if (SimpMessageHeaderAccessor.getMessageType(message.getHeaders()) != SimpMessageType.MESSAGE) {
                return message; // connects, subscribes or is a heartbeat
            }
            Principal user = SimpMessageHeaderAccessor.getUser(message.getHeaders());
            Decision decision = messages.tryAcquire(user == null ? "anonymous" : user.getName());
            if (!decision.allowed()) {
                long seconds = decision.retryAfter().orElseThrow().toSeconds() + 1;
                throw new MessageDeliveryException(message, "Too many messages; try again in " + seconds + " s");
            }
            return message;
        }
    }
    // endregion

    @Bean
    TestClock clock() {
        return new TestClock();
    }

    @Bean
    BlockingQueue<String> said() {
        return new LinkedBlockingQueue<>();
    }

    @EnableWebSocketMessageBroker
    static class Messaging implements WebSocketMessageBrokerConfigurer {

        private final MessageLimit limit;

        Messaging(MessageLimit limit) {
            this.limit = limit;
        }

        @Override
        public void configureClientInboundChannel(ChannelRegistration registration) {
            registration.interceptors(limit);
        }

        @Override
        public void configureMessageBroker(MessageBrokerRegistry registry) {
            registry.setApplicationDestinationPrefixes("/app");
        }

        /** The user is the query of the handshake. */
        @Override
        public void registerStompEndpoints(StompEndpointRegistry registry) {
            registry.addEndpoint("/chat").setHandshakeHandler(new DefaultHandshakeHandler() {
                @Override
                protected @Nullable Principal determineUser(
                        ServerHttpRequest request, WebSocketHandler handler, Map<String, Object> attributes) {
                    String name = request.getURI().getQuery();
                    return name == null ? null : () -> name;
                }
            });
        }
    }

    @Controller
    static class Room {

        private final BlockingQueue<String> said;

        Room(BlockingQueue<String> said) {
            this.said = said;
        }

        @MessageMapping("/say")
        void say(@Payload String words) {
            said.add(words);
        }
    }
}
