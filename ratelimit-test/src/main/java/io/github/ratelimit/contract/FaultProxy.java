package io.github.ratelimit.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between a store and its server, and lets the network fail. Listens on a port of the loopback interface. Ended by {@link #close()}. Safe
 * for concurrent use.
 */
public final class FaultProxy implements AutoCloseable {

    /** A fault of the network. */
    public enum Fault {
        /** None. */
        PASS,
        /** New connections are closed at once, and open ones with them. */
        REJECT,
        /** Nothing gets through, without a sign. */
        BLACK_HOLE,
        /** Nothing gets through until the fault ends. Then all of it does, as TCP repeats lost bytes. */
        HOLD,
        /** Answers come late. */
        DELAY,
        /** Requests get through; their answers do not. */
        DROP_REPLIES,
        /** A broken proxy: the bytes of the next answer are lost, and later ones get through. */
        SWALLOW
    }

    /** The read bytes and the time to send them; empty at the end of the connection. */
    private static final class Chunk {

        final byte[] bytes;
        final long due;

        Chunk(byte[] bytes, long due) {
            this.bytes = bytes;
            this.due = due;
        }
    }

    private final ServerSocket listener;
    private final long delayNanos;
    private final long oneWayNanos;
    private final Set<Connection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private volatile int port;
    private volatile Fault fault = Fault.PASS;
    private volatile String unheard = "";

    /**
     * Starts it.
     *
     * @param port the server's
     * @param delayMillis how late answers are with {@link Fault#DELAY}
     */
    public FaultProxy(int port, int delayMillis) {
        this(port, delayMillis * 1_000_000L, 0);
    }

    private FaultProxy(int port, long delayNanos, long oneWayNanos) {
        this.port = port;
        this.delayNanos = delayNanos;
        this.oneWayNanos = oneWayNanos;
        try {
            this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon("fault-proxy-listener", this::listen);
    }

    /** A distant server: bytes arrive half a round trip later, both ways, in any amount. */
    public static FaultProxy farAway(int port, Duration roundTrip) {
        return new FaultProxy(port, 0, roundTrip.toNanos() / 2);
    }

    /** One whose server is told by {@link #server} later, as that server must know the proxy's port. */
    public static FaultProxy withoutServer() {
        return new FaultProxy(0, 0, 0);
    }

    /** The port of the server, for connections from now on. */
    public void server(int serverPort) {
        this.port = serverPort;
    }

    /** The port to connect to. */
    public int port() {
        return listener.getLocalPort();
    }

    /** The address, for example {@code redis://127.0.0.1:1234}. */
    public String uri(String scheme) {
        return scheme + "://127.0.0.1:" + port();
    }

    /** Begins a fault, or ends it with {@link Fault#PASS}. */
    public void set(Fault fault) {
        this.fault = fault;
        if (fault == Fault.REJECT) {
            reset();
        }
    }

    /** Breaks the connections that are open now. */
    public void reset() {
        open.forEach(Connection::abort);
        open.clear();
    }

    /** Lets nothing through on the connections that are open now, and tells nobody; new ones work. */
    public void forgetOpenConnections() {
        open.forEach(connection -> connection.forgotten = true);
    }

    /** From the next command of this name on, its connection gets nothing through, without a sign. Empty ends that for new ones. */
    public void ignore(String command) {
        unheard = command;
    }

    /** How many connections are open. */
    public int openConnections() {
        return open.size();
    }

    /** How many connections were accepted so far. */
    public int connections() {
        return connections.get();
    }

    private void listen() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                connections.incrementAndGet();
                if (fault == Fault.REJECT) {
                    abort(client);
                    continue;
                }
                Socket server = new Socket();
                try {
                    server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
                } catch (IOException e) {
                    abort(client); // the server is down
                    continue;
                }
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                Connection connection = new Connection(client, server);
                open.add(connection);
                connection.start();
            } catch (IOException e) {
                // The listener closed, or the client went away.
            }
        }
    }

    /** A client's connection and the one to the server. */
    private final class Connection {

        private final Socket client;
        private final Socket server;
        private volatile boolean forgotten;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void start() {
            pump("there", client, server, false);
            pump("back", server, client, true);
        }

        private void pump(String name, Socket from, Socket to, boolean back) {
            // Two threads read and write, so bytes on their way do not hold up later ones.
            BlockingQueue<Chunk> onTheWay = new LinkedBlockingQueue<>();
            daemon("fault-proxy-read-" + name, () -> read(from, onTheWay, back));
            daemon("fault-proxy-write-" + name, () -> write(to, onTheWay));
        }

        private void read(Socket from, BlockingQueue<Chunk> onTheWay, boolean back) {
            byte[] buffer = new byte[16_384];
            try {
                InputStream in = from.getInputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    Fault now = fault;
                    String command = unheard;
                    forgotten |= !back && !command.isEmpty() && new String(buffer, 0, read, US_ASCII).contains(command);
                    if (back && now == Fault.SWALLOW) {
                        fault = Fault.PASS;
                        continue;
                    }
                    if (!forgotten && now != Fault.BLACK_HOLE && !(back && now == Fault.DROP_REPLIES)) {
                        long delay = oneWayNanos + (back && now == Fault.DELAY ? delayNanos : 0);
                        onTheWay.add(new Chunk(Arrays.copyOf(buffer, read), System.nanoTime() + delay));
                    }
                }
            } catch (IOException e) {
                // An end of the connection is the end of both.
            }
            onTheWay.add(new Chunk(new byte[0], System.nanoTime() + oneWayNanos));
        }

        private void write(Socket to, BlockingQueue<Chunk> onTheWay) {
            try {
                OutputStream out = to.getOutputStream();
                for (Chunk chunk = onTheWay.take(); chunk.bytes.length > 0; chunk = onTheWay.take()) {
                    for (long left = chunk.due - System.nanoTime(); left > 0; left = chunk.due - System.nanoTime()) {
                        LockSupport.parkNanos(left);
                    }
                    while (fault == Fault.HOLD && !to.isClosed()) {
                        LockSupport.parkNanos(1_000_000);
                    }
                    out.write(chunk.bytes);
                }
            } catch (IOException e) {
                // An end of the connection is the end of both.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            end();
        }

        private void end() {
            open.remove(this);
            try (client;
                    server) {
                // Both are closed.
            } catch (IOException e) {
                // They are closed already.
            }
        }

        void abort() {
            FaultProxy.abort(client);
            FaultProxy.abort(server);
        }
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

    /** Ends all connections. */
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
