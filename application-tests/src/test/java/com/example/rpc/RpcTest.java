package com.example.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.example.Start;
import io.github.ratelimit.test.TestClock;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Calls of gRPC, limited by their metadata. */
class RpcTest {

    private static final MethodDescriptor<String, String> GREET = MethodDescriptor.<String, String>newBuilder(
                    new Text(), new Text())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName("Greeter/greet")
            .build();

    @Test
    void callOverTheLimitIsExhaustedAndTellsWhenToTryAgain() throws Exception {
        try (ConfigurableApplicationContext application =
                Start.of(RpcApplication.class, "--spring.main.web-application-type=none")) {
            Server server = InProcessServerBuilder.forName("greeter")
                    .directExecutor()
                    .addTransportFilter(new Addresses())
                    .intercept(application.getBean(ServerInterceptor.class))
                    .addService(ServerServiceDefinition.builder("Greeter")
                            .addMethod(GREET, ServerCalls.asyncUnaryCall((name, answer) -> {
                                answer.onNext("hello " + name);
                                answer.onCompleted();
                            }))
                            .build())
                    .build()
                    .start();
            ManagedChannel channel =
                    InProcessChannelBuilder.forName("greeter").directExecutor().build();
            ManagedChannel elsewhere =
                    InProcessChannelBuilder.forName("greeter").directExecutor().build();
            try {
                limitsByKey(channel, application.getBean(TestClock.class));
                limitsByAddress(channel, elsewhere);
            } finally {
                channel.shutdownNow();
                elsewhere.shutdownNow();
                server.shutdownNow();
            }
        }
    }

    private static void limitsByKey(Channel channel, TestClock clock) {
        for (int i = 0; i < 100; i++) {
            assertThat(greet(channel, "key-of-ann")).isEqualTo("hello you");
        }
        clock.advance(Duration.ofMillis(2_500));
        StatusRuntimeException rejection = rejection(channel, "key-of-ann");
        assertThat(rejection.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(rejection.getStatus().getDescription()).isEqualTo("Too many requests; try again in 58 seconds.");
        assertThat(rejection.getTrailers().get(key("retry-after"))).isEqualTo("58");

        assertThat(greet(channel, "key-of-bob")).isEqualTo("hello you");
        clock.advance(Duration.ofMillis(57_500));
        assertThat(greet(channel, "key-of-ann")).isEqualTo("hello you");
    }

    private static void limitsByAddress(Channel channel, Channel elsewhere) {
        for (int i = 0; i < 100; i++) {
            assertThat(greet(channel, null)).isEqualTo("hello you");
        }
        assertThat(rejection(channel, null).getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(greet(elsewhere, null)).isEqualTo("hello you");
    }

    private static StatusRuntimeException rejection(Channel channel, @Nullable String apiKey) {
        return catchThrowableOfType(StatusRuntimeException.class, () -> greet(channel, apiKey));
    }

    private static String greet(Channel channel, @Nullable String apiKey) {
        Metadata metadata = new Metadata();
        if (apiKey != null) {
            metadata.put(key("x-api-key"), apiKey);
        }
        Channel withKey = ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(metadata));
        return ClientCalls.blockingUnaryCall(withKey, GREET, CallOptions.DEFAULT, "you");
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /** Gives each connection an address of its own, as sockets have. */
    private static final class Addresses extends ServerTransportFilter {

        private final AtomicInteger connections = new AtomicInteger();

        @Override
        public Attributes transportReady(Attributes attributes) {
            InetSocketAddress peer = new InetSocketAddress("192.0.2." + connections.incrementAndGet(), 50_051);
            return attributes.toBuilder()
                    .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, peer)
                    .build();
        }
    }

    /** In place of Protocol Buffers. */
    private static final class Text implements MethodDescriptor.Marshaller<String> {

        @Override
        public InputStream stream(String value) {
            return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream stream) {
            try {
                return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
