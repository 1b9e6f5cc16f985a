package com.example.rpc;

import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpRateLimiter;
import io.github.ratelimit.http.HttpVerdict;
import io.github.ratelimit.http.RejectionBody;
import io.github.ratelimit.test.TestClock;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** The limits of a gRPC server, and the recipe of the manual. */
@SpringBootApplication
public class RpcApplication {

    // region grpc
    @Component
    static class CallLimit implements ServerInterceptor { // for intercept(…) of the server's builder

        private final HttpRateLimiter limiter;

        CallLimit(HttpRateLimiter limiter) {
            this.limiter = limiter;
        }

        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata metadata, ServerCallHandler<Q, A> next) {
            String peer = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress address
                    ? address.getAddress().getHostAddress()
                    : "";
            HttpVerdict verdict = limiter.check(
                    List.of("grpc"),
                    HttpCall.of(
                            "POST",
                            "/" + call.getMethodDescriptor().getFullMethodName(),
                            peer,
                            name -> Stream.ofNullable(metadata.get(field(name))).toList()));
            if (verdict.allowed()) {
                return next.startCall(call, metadata);
            }
            Metadata trailers = new Metadata();
            verdict.writeFields((name, value) -> trailers.put(field(name), value)); // retry-after and more
            call.close(Status.RESOURCE_EXHAUSTED.withDescription(RejectionBody.message(verdict)), trailers);
            return new ServerCall.Listener<>() {};
        }

        private static Metadata.Key<String> field(String name) {
            return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
        }
    }
    // endregion

    @Bean
    TestClock clock() {
        return new TestClock();
    }
}
