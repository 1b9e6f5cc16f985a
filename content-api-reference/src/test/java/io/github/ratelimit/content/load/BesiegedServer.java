package io.github.ratelimit.content.load;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.github.ratelimit.TimeSource;
import io.github.ratelimit.content.harness.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;

/** The server in a process of its own with a heap of 512 MB, its limits on, trusting no proxy. Belongs to one thread. */
final class BesiegedServer implements AutoCloseable {
    /** A token of the workspace {@code besieged-0}. */
    static final String WORKSPACE_TOKEN = workspaceToken(0);

    /** So that no attack uses up the requests that another one needs to be one. */
    private static final int WORKSPACES = 8;

    private final ServerProcess process;
    private final Path data;
    private @Nullable JMXConnector connector;

    private BesiegedServer(ServerProcess process, Path data) {
        this.process = process;
        this.data = data;
    }

    /** A token of a workspace of its own for each number below eight. */
    static String workspaceToken(int number) {
        return "cms_token-of-the-site-that-is-besieged-" + number;
    }

    /** Starts it from the class path and returns when it serves. */
    static BesiegedServer start(Path data) {
        List<String> settings = new ArrayList<>(List.of("--ratelimit.http.trusted-proxies="));
        for (int i = 0; i < WORKSPACES; i++) {
            settings.add("--content-api.provision.workspaces[" + i + "].id=besieged-" + i);
            settings.add("--content-api.provision.workspaces[" + i + "].token=" + workspaceToken(i));
        }
        ServerProcess process = ServerProcess.startProgram(
                TimeSource.system(), data, BesiegedApplication.class, "512m", settings.toArray(String[]::new));
        return new BesiegedServer(process, data);
    }

    URI base() {
        return URI.create(process.base());
    }

    private interface Question<T> {
        T ask(MBeanServerConnection server) throws IOException;
    }

    /** One connection for all questions: each would leave threads in the server, for a while. */
    @SuppressWarnings("BanJNDI") // The address is told by our own process, on this machine.
    private <T> T ask(Question<T> question) {
        try {
            JMXConnector open = connector;
            if (open == null) {
                VirtualMachine machine = VirtualMachine.attach(String.valueOf(process.pid()));
                String address = machine.startLocalManagementAgent();
                machine.detach();
                open = JMXConnectorFactory.connect(new JMXServiceURL(address));
                connector = open;
            }
            return question.ask(open.getMBeanServerConnection());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (AttachNotSupportedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Bytes of the heap that are in use after what nobody needs was thrown away. */
    long usedHeap() {
        return ask(server -> {
            MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(
                    server, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
            memory.gc();
            return memory.getHeapMemoryUsage().getUsed();
        });
    }

    /** Moves the server's clock, and has it do what it does from time to time. */
    void doHousekeepingLater(long days) {
        ask(server -> {
            housekeeping(server).doLater(days);
            return days;
        });
    }

    /** What is in use, by its name. */
    Map<String, Long> inUse() {
        return ask(server -> housekeeping(server).inUse());
    }

    private static BesiegedApplication.Housekeeping housekeeping(MBeanServerConnection server) {
        try {
            return JMX.newMBeanProxy(
                    server, new ObjectName(BesiegedApplication.NAME), BesiegedApplication.Housekeeping.class);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Bytes of what lies in the data directory, by its name. */
    Map<String, Long> usedDiskByPart() {
        Map<String, Long> parts = new TreeMap<>();
        for (File part : Objects.requireNonNull(data.toFile().listFiles())) {
            parts.put(part.getName(), bytes(part));
        }
        return parts;
    }

    /** Bytes of all files of the data directory. */
    long usedDisk() {
        return bytes(data.toFile());
    }

    /** What goes away meanwhile has none. */
    private static long bytes(File file) {
        File[] within = file.listFiles();
        return within == null
                ? file.length()
                : Arrays.stream(within).mapToLong(BesiegedServer::bytes).sum();
    }

    /** Lines of the log that tell of a fault of the server: its errors, and the traces of any exception. */
    List<String> faults() throws IOException {
        try (Stream<String> lines = Files.lines(process.log())) {
            return lines.filter(line ->
                            line.contains(" ERROR ") || line.startsWith("\tat ") || line.contains("out of memory"))
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        JMXConnector open = connector;
        if (open != null) {
            open.close();
        }
        process.close();
        Files.deleteIfExists(process.log());
    }
}
