package io.github.ratelimit.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Stands between a store and a server, and lets the network fail. Listens on a port of its own; stopped by {@link #close()}. */
final class FaultProxy implements AutoCloseable {

    enum Fault {
        /** None. */
        PASS,
        /** New connections are closed at once, and open ones with them. */
        REFUSE,
        /** Nothing gets through, and nobody is told. */
        BLACK_HOLE,
        /** Answers come late. */
        DELAY,
        /** Requests get through; their answers do not. */
        DROP_REPLIES
    }

    private final ServerSocket listener;
    private final int port;
    private final long delayNanos;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile Fault fault = Fault.PASS;

    /**
     * Starts it.
     *
     * @param port the server's
     * @param delayMillis how late answers are with {@link Fault#DELAY}
     */
    FaultProxy(int port, int delayMillis) {
        this.port = port;
        this.delayNanos = delayMillis * 1_000_000L;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon("fault-proxy-listener", this::listen);
    }

    String uri() {
        return "redis://127.0.0.1:" + listener.getLocalPort();
    }

    void set(Fault fault) {
        this.fault = fault;
        if (fault == Fault.REFUSE) {
            reset();
        }
    }

    /** Breaks the connections that are open now. */
    void reset() {
        open.forEach(FaultProxy::abort);
        open.clear();
    }

    /** How many connections were accepted so far. */
    int connections() {
        return connections.get();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                connections.incrementAndGet();
                if (fault == Fault.REFUSE) {
                    abort(client);
                    continue;
                }
                Socket server = new Socket();
                server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                open.add(client);
                open.add(server);
                daemon("fault-proxy-there", () -> pump(client, server, false));
                daemon("fault-proxy-back", () -> pump(server, client, true));
            } catch (IOException e) {
                // The server is down or the listener closed: the client sees a connection that ends.
            }
        }
    }

    private void pump(Socket from, Socket to, boolean back) {
        byte[] buffer = new byte[16_384];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (back && fault == Fault.DELAY) {
                    LockSupport.parkNanos(delayNanos);
                }
                if (fault != Fault.BLACK_HOLE && !(back && fault == Fault.DROP_REPLIES)) {
                    out.write(buffer, 0, read);
                }
            }
        } catch (IOException e) {
            // An end of the connection is the end of both.
        }
        open.remove(from);
        open.remove(to);
    }

    /** With a reset and not a goodbye. */
    private static void abort(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reset();
    }
}
