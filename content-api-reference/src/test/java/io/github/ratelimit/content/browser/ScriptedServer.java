package io.github.ratelimit.content.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.ratelimit.spring.live.LivePage;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Serves the files of the widget and of the live page, and answers their requests as a test says. */
final class ScriptedServer implements AutoCloseable {

    /** What is answered. */
    record Reply(int status, Map<String, String> fields, String body) {

        static Reply of(int status, String body) {
            return new Reply(status, Map.of(), body);
        }
    }

    /** What was asked. */
    record Asked(String path, String authorization, String body) {}

    private record Script(Queue<Reply> replies, BlockingQueue<Asked> asked) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Script> scripts = new ConcurrentHashMap<>();
    private final Map<String, Reply> files = new ConcurrentHashMap<>();

    ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        file("/widget.js", "text/javascript", text(ScriptedServer.class, "/static/widget.js"));
        file("/live", "text/html", text(LivePage.class, "live.html"));
        for (String name : new String[] {"live.css", "live.js", "theme.js"}) {
            file("/live/" + name, name.endsWith("css") ? "text/css" : "text/javascript", text(LivePage.class, name));
        }
    }

    private static String text(Class<?> beside, String name) throws IOException {
        try (InputStream from = requireNonNull(beside.getResourceAsStream(name), name)) {
            return new String(from.readAllBytes(), UTF_8).replace("{{page}}", "live");
        }
    }

    String base() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    void file(String path, String type, String text) {
        files.put(path, new Reply(200, Map.of("Content-Type", type + ";charset=UTF-8"), text));
    }

    /** A page whose policy may be empty. */
    void page(String path, String policy, String html) {
        files.put(
                path,
                new Reply(
                        200,
                        Map.of("Content-Type", "text/html;charset=UTF-8", "Content-Security-Policy", policy),
                        html));
    }

    /** From now on requests to the path are answered one after the other by these, and from then on by the last one. */
    void replies(String path, Reply... next) {
        scripts.put(path, new Script(new ConcurrentLinkedQueue<>(List.of(next)), new LinkedBlockingQueue<>()));
    }

    /** The next request to the path; waits for it. */
    Asked asked(String path) throws InterruptedException {
        return requireNonNull(script(path).asked().poll(60, TimeUnit.SECONDS), "no request to " + path);
    }

    /** How many requests to the path were not looked at. */
    int unseen(String path) {
        return script(path).asked().size();
    }

    private Script script(String path) {
        return requireNonNull(scripts.get(path), "no replies for " + path);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Script script = scripts.get(path);
        if (script == null) {
            send(exchange, files.getOrDefault(path, Reply.of(404, "")));
            return;
        }
        Reply reply = requireNonNull(
                script.replies().size() > 1
                        ? script.replies().poll()
                        : script.replies().peek());
        script.asked()
                .add(new Asked(
                        path,
                        String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
                        new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
        send(exchange, reply);
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        byte[] body = reply.body().getBytes(UTF_8);
        reply.fields().forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
