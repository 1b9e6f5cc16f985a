package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/** Speaks TLS for a server on this machine that speaks none itself. Whoever starts it closes it. */
public final class TlsTerminator implements AutoCloseable {

    private final SSLServerSocket listener;

    private TlsTerminator(SSLServerSocket listener) {
        this.listener = listener;
    }

    /**
     * Starts one, with a certificate of its own for {@code 127.0.0.1}.
     *
     * @param directory gets the certificate: {@code store.p12}, opened by {@code changeit}
     * @param port the server's
     */
    public static TlsTerminator start(Path directory, int port) throws Exception {
        Path file = directory.resolve("store.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        "changeit")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.log").toFile())
                .start();
        if (!keytool.waitFor(60, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
            throw new IllegalStateException("no certificate: " + Files.readString(directory.resolve("keytool.log")));
        }
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, "changeit".toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "changeit".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        TlsTerminator terminator = new TlsTerminator((SSLServerSocket)
                context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        daemon(() -> terminator.terminate(port));
        return terminator;
    }

    /** Where it listens. */
    public int port() {
        return listener.getLocalPort();
    }

    private void terminate(int port) {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
                daemon(() -> pump(client, server));
                daemon(() -> pump(server, client));
            } catch (IOException e) {
                // closed
            }
        }
    }

    private static void pump(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // An end of the connection is the end of both.
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "tls-terminator");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
