package io.github.ratelimit.content.shared.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class FileHousekeepingTest {

    private static final int ROWS = 300;
    private static final String TEXT = "Some text. ".repeat(1_000);
    private static final String LONG_TEXT = TEXT.repeat(20);

    @TempDir
    private Path folder;

    @Test
    void whatIsLeftOverBetweenContentsIsUsedAgain() throws Exception {
        long left = sizeAfterWrites(folder.resolve("left"), 0);
        long kept = sizeAfterWrites(folder.resolve("kept"), 10);
        assertThat(kept).as("of %d bytes", (long) ROWS * TEXT.length()).isLessThan(left / 2);
    }

    @Test
    void whatIsDeletedGivesItsSpaceBackWhileTheDatabaseIsInUse() throws Exception {
        Path file = folder.resolve("deleted.mv.db");
        DriverManagerDataSource database = database(folder.resolve("deleted"));
        FileHousekeeping housekeeping = new FileHousekeeping(database);
        try (Connection connection = database.getConnection()) {
            long full = fillAndDelete(connection, housekeeping, file);
            for (int second = 0; second < 30; second++) {
                housekeeping.keep();
            }
            assertThat(Files.size(file)).as("of %d bytes", full).isLessThan(full / 3);
            byte[] closedUp = Files.readAllBytes(file);
            housekeeping.keep();
            assertThat(Files.readAllBytes(file))
                    .as("what is done is left alone")
                    .isEqualTo(closedUp);
            assertKept(connection);
        }
    }

    /** Nobody may write any more then, so nothing else would make it look again. */
    @Test
    void whatSomebodyStillReadGivesItsSpaceBackOnceItIsRead() throws Exception {
        Path file = folder.resolve("read.mv.db");
        DriverManagerDataSource database = database(folder.resolve("read"));
        FileHousekeeping housekeeping = new FileHousekeeping(database);
        try (Connection connection = database.getConnection();
                Connection reader = database.getConnection()) {
            create(connection);
            reader.setAutoCommit(false);
            reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            long full = fillAndDelete(connection, housekeeping, file, () -> read(reader));
            for (int second = 0; second < 60; second++) {
                housekeeping.keep();
            }
            assertThat(Files.size(file)).isGreaterThan(full / 2);
            reader.rollback();
            for (int second = 0; second < 60; second++) {
                housekeeping.keep();
            }

            assertThat(Files.size(file)).as("of %d bytes", full).isLessThan(full / 3);
            assertKept(connection);
        }
    }

    private static void read(Connection reader) throws SQLException {
        try (Statement statement = reader.createStatement();
                ResultSet all = statement.executeQuery("select count(text) from post")) {
            assertThat(all.next()).isTrue();
        }
    }

    @Test
    void aFileOnADiskThatIsNearlyFullKeepsItsLength() throws Exception {
        Path file = folder.resolve("full.mv.db");
        DriverManagerDataSource database = database(folder.resolve("full"));
        List<Path> asked = new ArrayList<>();
        FileHousekeeping housekeeping = new FileHousekeeping(database, path -> {
            asked.add(path);
            return 1 << 20;
        });
        try (Connection connection = database.getConnection()) {
            long full = fillAndDelete(connection, housekeeping, file);
            for (int second = 0; second < 30; second++) {
                housekeeping.keep();
            }
            assertThat(Files.size(file)).isGreaterThan(full / 2);
            assertThat(asked).isNotEmpty().allSatisfy(path -> assertThat(path).isEqualTo(file));
            assertKept(connection);
        }
    }

    private static long fillAndDelete(Connection connection, FileHousekeeping housekeeping, Path file)
            throws Exception {
        create(connection);
        return fillAndDelete(connection, housekeeping, file, () -> {});
    }

    /** What is done between the two. */
    private interface Between {
        void run() throws SQLException;
    }

    /** Returns how long the file was when it was full. */
    private static long fillAndDelete(Connection connection, FileHousekeeping housekeeping, Path file, Between between)
            throws Exception {
        try (PreparedStatement insert = connection.prepareStatement("insert into post values (?, ?)")) {
            for (int row = 0; row < ROWS / 3; row++) {
                insert.setInt(1, row);
                insert.setBytes(2, bytes(row + LONG_TEXT));
                insert.executeUpdate();
                connection.commit();
                if (row % 10 == 0) {
                    housekeeping.keep();
                }
            }
        }
        long full = Files.size(file);
        between.run();
        try (Statement statement = connection.createStatement()) {
            statement.execute("delete from post where id > 0");
            connection.commit();
        }
        return full;
    }

    private static void assertKept(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet left = statement.executeQuery("select octet_length(text) from post where id = 0")) {
            assertThat(left.next()).isTrue();
            assertThat(left.getInt(1)).isEqualTo(LONG_TEXT.length() + 1);
        }
    }

    private static DriverManagerDataSource database(Path file) {
        return new DriverManagerDataSource("jdbc:h2:file:" + file + ";WRITE_DELAY=0;RETENTION_TIME=1");
    }

    @Test
    void anotherDatabaseIsLeftAlone() throws Exception {
        String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
        FileHousekeeping housekeeping = new FileHousekeeping(new DriverManagerDataSource(url));
        housekeeping.keep();
        housekeeping.keep();
    }

    /**
     * Each write leaves one row that stays, and makes another one needless.
     *
     * @param every after so many writes there is housekeeping; 0: never
     */
    private static long sizeAfterWrites(Path file, int every) throws Exception {
        DriverManagerDataSource database = database(file);
        FileHousekeeping housekeeping = new FileHousekeeping(database);
        try (Connection connection = database.getConnection()) {
            create(connection);
            try (PreparedStatement stays = connection.prepareStatement("insert into post values (?, ?)");
                    PreparedStatement goes = connection.prepareStatement("update post set text = ? where id = -1")) {
                for (int row = 0; row < ROWS; row++) {
                    stays.setInt(1, row * 7919 % ROWS); // not side by side
                    stays.setBytes(2, bytes(row + TEXT));
                    stays.executeUpdate();
                    goes.setBytes(1, bytes(row + LONG_TEXT));
                    goes.executeUpdate();
                    connection.commit();
                    if (every > 0 && row % every == 0) {
                        housekeeping.keep();
                    }
                }
            }
            return Files.size(Path.of(file + ".mv.db"));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static void create(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            // Bytes: the database reads and writes texts letter by letter.
            statement.execute("create table post (id int primary key, text varbinary)");
            statement.execute("insert into post values (-1, x'')");
        }
        connection.commit();
    }
}
