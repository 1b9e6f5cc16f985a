package com.example.chat;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Start;
import io.github.ratelimit.test.TestClock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ResolvableType;

/** Messages of WebSocket sessions, limited by their users. */
class ChatTest {

    @Test
    void messageOverTheLimitIsAnErrorThatTellsWhenToTryAgain() throws Exception {
        try (ConfigurableApplicationContext application = Start.of(ChatApplication.class)) {
            BlockingQueue<String> said = said(application);
            TestClock clock = application.getBean(TestClock.class);

            Session first = new Session(application, "?ann");
            for (int i = 0; i < 20; i++) {
                first.say("ann " + i);
                assertThat(said.poll(1, TimeUnit.MINUTES)).isEqualTo("ann " + i);
            }
            clock.advance(Duration.ofMillis(2_500));
            first.say("too much");
            assertThat(first.next()).startsWith("ERROR\n").contains("message:Too many messages; try again in 58 s\n");
            assertThat(first.next()).as("STOMP ends a session with an error").isEqualTo("closed");

            Session again = new Session(application, "?ann");
            again.say("too much");
            assertThat(again.next()).as("by the user, not by the session").startsWith("ERROR\n");

            Session other = new Session(application, "?bob");
            other.say("bob");
            assertThat(said.poll(1, TimeUnit.MINUTES)).isEqualTo("bob");

            Session nobody = new Session(application, "");
            nobody.say("nobody");
            assertThat(said.poll(1, TimeUnit.MINUTES)).isEqualTo("nobody");

            clock.advance(Duration.ofMillis(57_500));
            Session later = new Session(application, "?ann");
            later.say("later");
            assertThat(said.poll(1, TimeUnit.MINUTES)).isEqualTo("later");
            assertThat(said).isEmpty();
        }
    }

    @SuppressWarnings("unchecked")
    private static BlockingQueue<String> said(ConfigurableApplicationContext application) {
        ResolvableType texts = ResolvableType.forClassWithGenerics(BlockingQueue.class, String.class);
        return (BlockingQueue<String>) application.getBeanProvider(texts).getObject();
    }

    /** A client that speaks STOMP. */
    private static final class Session implements WebSocket.Listener {

        private final BlockingQueue<String> frames = new LinkedBlockingQueue<>();
        private final StringBuilder frame = new StringBuilder();
        private final WebSocket socket;

        Session(ConfigurableApplicationContext application, String query) throws InterruptedException {
            String port = application.getEnvironment().getProperty("local.server.port");
            socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .subprotocols("v12.stomp")
                    .buildAsync(URI.create("ws://127.0.0.1:" + port + "/chat" + query), this)
                    .join();
            send("CONNECT\naccept-version:1.2\nhost:chat\n\n");
            assertThat(next()).startsWith("CONNECTED\n");
        }

        void say(String words) {
            send("SEND\ndestination:/app/say\n\n" + words);
        }

        private void send(String text) {
            socket.sendText(text + '\0', true).join();
        }

        @Nullable
        String next() throws InterruptedException {
            return frames.poll(1, TimeUnit.MINUTES);
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            frame.append(part);
            if (last) {
                frames.add(frame.toString());
                frame.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            frames.add("closed");
            return null;
        }
    }
}
