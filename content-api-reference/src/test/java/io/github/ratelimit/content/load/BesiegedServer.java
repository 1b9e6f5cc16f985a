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

/** The server in a process of its own with a heap of 512 MB, its limits on, trusting no proxy. Belongs to one thread. */
final class BesiegedServer implements AutoCloseable {
    /** A token of the workspace {@code besieged}. */
    static final String WORKSPACE_TOKEN = "cms_token-of-the-site-that-is-besieged-0";

    private final ServerProcess process;
    private final Path data;

    private BesiegedServer(ServerProcess process, Path data) {
        this.process = process;
        this.data = data;
    }

    /** Starts it from the class path and returns when it serves. */
    static BesiegedServer start(Path data) {
        ServerProcess process = ServerProcess.startProgram(
                TimeSource.system(),
                data,
                BesiegedApplication.class,
                "512m",
                "--ratelimit.http.trusted-proxies=",
                "--content-api.provision.workspaces[0].id=besieged",
                "--content-api.provision.workspaces[0].token=" + WORKSPACE_TOKEN);
        return new BesiegedServer(process, data);
    }

    URI base() {
        return URI.create(process.base());
    }

    private interface Question<T> {
        T ask(MBeanServerConnection server) throws IOException;
    }

    @SuppressWarnings("BanJNDI") // The address is told by our own process, on this machine.
    private <T> T ask(Question<T> question) {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(process.pid()));
            String address = machine.startLocalManagementAgent();
            machine.detach();
            try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(address))) {
                return question.ask(connector.getMBeanServerConnection());
            }
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
            try {
                JMX.newMBeanProxy(
                                server,
                                new ObjectName(BesiegedApplication.NAME),
                                BesiegedApplication.Housekeeping.class)
                        .doLater(days);
                return days;
            } catch (MalformedObjectNameException e) {
                throw new IllegalStateException(e);
            }
        });
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
        process.close();
        Files.deleteIfExists(process.log());
    }
}
