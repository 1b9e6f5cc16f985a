package io.github.ratelimit.content.shared.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What the embedded database finds after a power cut, with the address that the server has by default. */
class FlushedFilesTest {

    private static final String RETENTION = "RETENTION_TIME=";
    private static final int ROWS = 8;
    private static final int WRITERS = 2;
    private static final int HOUSEKEEPING = 50;
    private static final int CUTS = 10;
    private static final int WRITES_BETWEEN_CUTS = 400;

    @TempDir
    private Path folder;

    private final Random random = new Random(20_261_122L);
    private final AtomicLongArray answered = new AtomicLongArray(ROWS);

    /**
     * What was left of the file.
     *
     * @param answered the versions of the rows that had been answered by then
     */
    private record Found(Path file, List<Long> answered) {}

    /** The server's own, but for where the file is, and that space is taken again ten times as soon: so a second shows what may go wrong. */
    private String address() throws IOException {
        String url = String.valueOf(new YamlPropertySourceLoader()
                .load("application", new ClassPathResource("application.yml"))
                .get(0)
                .getProperty("spring.datasource.url"));
        String place = "flushed:${content-api.data-dir}/";
        assertThat(url).contains(place, RETENTION + "1000;");
        return url.replace(place, "flushed:lossy:" + folder.toAbsolutePath() + "/")
                .replace(RETENTION + "1000;", RETENTION + "100;");
    }

    @Test
    void whatIsReadAndWrittenAtOnceIsKeptOutsideOfTheHeapByNoThread() throws IOException {
        FlushedFiles.register();
        BufferPoolMXBean direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        byte[] much = new byte[32 << 20];
        random.nextBytes(much);
        long before = direct.getMemoryUsed();
        try (FileChannel file =
                FilePath.get("flushed:" + folder.resolve("much")).open("rw")) {
            assertThat(file.write(ByteBuffer.wrap(much), 0)).isEqualTo(much.length);
            assertThat(file.write(ByteBuffer.wrap(much))).isEqualTo(much.length);
            ByteBuffer read = ByteBuffer.allocate(much.length);
            while (read.hasRemaining()) {
                file.read(read, read.position());
            }

            assertThat(read.array()).isEqualTo(much);
            assertThat(direct.getMemoryUsed() - before).isLessThan(much.length / 2);
        }
    }

    @Test
    void whatWasAnsweredIsThereAfterAPowerCutAtAnyMomentAndSpaceIsTakenAgain() throws Exception {
        FlushedFiles.register();
        LossyFiles.Disk disk = LossyFiles.register(folder, random);
        List<Found> cuts = Collections.synchronizedList(new ArrayList<>());
        try (Connection connection = DriverManager.getConnection(address(), "sa", "")) {
            create(connection);
            disk.onWrite(() -> {
                if (cuts.size() < CUTS && random.nextInt(WRITES_BETWEEN_CUTS) == 0) {
                    List<Long> now =
                            IntStream.range(0, ROWS).mapToObj(answered::get).toList();
                    cuts.add(new Found(disk.cut("cut" + cuts.size() + ".mv.db"), now));
                }
            });
            write(cuts);
        }
        assertThat(cuts).hasSize(CUTS);
        assertThat(Files.size(cuts.get(CUTS - 1).file()))
                .as("of a file that was written to with %d bytes", disk.written())
                .isLessThan(disk.written() / 2);
        for (Found cut : cuts) {
            assertThat(versions(cut.file()))
                    .as("what %s has of what was answered", cut.file().getFileName())
                    .satisfies(found -> {
                        for (int row = 0; row < ROWS; row++) {
                            assertThat(found.get(row))
                                    .isGreaterThanOrEqualTo(cut.answered().get(row));
                        }
                    });
        }
    }

    private static void create(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table post (id int primary key, version bigint, text varchar)");
            for (int row = 0; row < ROWS; row++) {
                statement.execute("insert into post values (" + row + ", 0, '')");
            }
        }
    }

    private void write(List<Found> cuts) throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int first = i;
                writers.add(threads.submit(() -> {
                    writeRows(first, cuts, done);
                    return null;
                }));
            }
            for (Future<?> writer : writers) {
                writer.get(1, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** Each row has one writer, so that its versions only grow. */
    private void writeRows(int first, List<Found> cuts, AtomicBoolean done) throws Exception {
        FileHousekeeping housekeeping = new FileHousekeeping(new DriverManagerDataSource(address(), "sa", ""));
        String text = "Some text. ".repeat(200);
        try (Connection connection = DriverManager.getConnection(address(), "sa", "");
                PreparedStatement update =
                        connection.prepareStatement("update post set version = ?, text = ? where id = ?")) {
            for (long version = 1; !done.get(); version++) {
                for (int row = first; row < ROWS; row += WRITERS) {
                    update.setLong(1, version);
                    update.setString(2, version + text);
                    update.setInt(3, row);
                    update.executeUpdate();
                    answered.set(row, version);
                }
                if (version % HOUSEKEEPING == 0) {
                    housekeeping.keep();
                }
                if (cuts.size() == CUTS) {
                    done.set(true);
                }
            }
        }
    }

    private static List<Long> versions(Path file) throws SQLException {
        String name = file.toString().replaceFirst("\\.mv\\.db$", "");
        List<Long> versions = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection("jdbc:h2:file:" + name, "sa", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select version from post order by id")) {
            while (rows.next()) {
                versions.add(rows.getLong(1));
            }
        }
        return versions;
    }
}
