package io.github.ratelimit.content.cms.media.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.AtOnce;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UploadStoreTest {

    private static final Instant NOW = Instant.parse("2024-01-31T23:00:00Z");

    @TempDir
    Path root;

    private UploadStore store = new UploadStore(InstantSource.fixed(NOW), Path.of("target"));

    @BeforeEach
    void open() {
        store = new UploadStore(InstantSource.fixed(NOW), root);
    }

    @Test
    void storesByYearAndMonthUnderANameOfItsOwn() throws IOException {
        assertThat(upload("a.txt", "one")).isEqualTo("2024/01/a.txt");
        assertThat(upload("a.txt", "two")).isEqualTo("2024/01/a-1.txt");
        assertThat(upload("A.txt", "three")).isEqualTo("2024/01/A-2.txt");
        assertThat(root.resolve("2024/01/a.txt")).hasContent("one");
        assertThat(root.resolve(".incoming")).isEmptyDirectory();
    }

    /** Not every system can name a file by any letter. */
    @Test
    void namesOfOtherScriptsAreSpelledInAsciiOnDisk() throws IOException {
        assertThat(upload("日@1.txt", "one")).isEqualTo("2024/01/日@1.txt");
        assertThat(upload("日@1.txt", "two")).isEqualTo("2024/01/日@1-1.txt");
        assertThat(root.resolve("2024/01/%E6%97%A5@1.txt")).hasContent("one");
        assertThat(store.resolve("2024/01/日@1-1.txt").orElseThrow()).hasContent("two");
        assertThat(store.resolve("2024/01/%E6%97%A5@1.txt")).isEmpty();

        Set<String> asked = new HashSet<>();
        store.sweep(asked::add, Duration.ofDays(-100_000));
        assertThat(asked).contains("2024/01/日@1.txt", "2024/01/日@1-1.txt");
    }

    @Test
    void measuresWhatItReceives() throws IOException {
        try (UploadStore.Incoming incoming = store.receive(new ByteArrayInputStream("abc".getBytes(UTF_8)))) {
            assertThat(incoming.size()).isEqualTo(3);
        }
        assertThat(root.resolve(".incoming")).isEmptyDirectory();
    }

    @Test
    void fortyUploadsOfOneNameGetFortyNames() throws IOException {
        assertThat(AtOnce.run(40, i -> upload("same.txt", "content " + i))).doesNotHaveDuplicates();
        try (Stream<Path> files = Files.list(root.resolve("2024/01"))) {
            assertThat(files.map(UploadStoreTest::content).distinct()).hasSize(40);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a.txt",
                "2024/01/../../secret",
                "2024/01/..",
                "/etc/passwd",
                "2024/01/.hidden",
                ".incoming/x",
                "2024\\01\\a.txt",
                "2024/01/a/b.txt",
                "2024/01/a%2fb",
                "2024/01/a\u0000b"
            })
    void noOtherPathLeadsAnywhere(String path) {
        assertThat(store.resolve(path)).isEmpty();
    }

    @Test
    void sweepsWhatNobodyNamesOnceItIsOld() throws IOException {
        String known = upload("known.txt", "k");
        String orphan = upload("orphan.txt", "o");
        String fresh = upload("fresh.txt", "f");
        Path half = Files.writeString(store.newFile(), "half");
        for (Path old : List.of(root.resolve(known), root.resolve(orphan), half)) {
            Files.setLastModifiedTime(old, FileTime.from(NOW.minus(Duration.ofHours(2))));
        }
        Files.setLastModifiedTime(root.resolve(fresh), FileTime.from(NOW.minus(Duration.ofMinutes(1))));

        assertThat(store.sweep(known::equals, Duration.ofHours(1))).isEqualTo(new UploadStore.Swept(3, 1, false));

        assertThat(root.resolve(known)).exists();
        assertThat(root.resolve(fresh)).exists();
        assertThat(root.resolve(orphan)).doesNotExist();
        assertThat(half).doesNotExist();
        assertThat(root.resolve(".removed").resolve(orphan)).hasContent("o");
    }

    @Test
    void sweptFilesAreThereForThirtyDays() throws IOException {
        String orphan = upload("orphan.txt", "o");
        store.sweep(name -> false, Duration.ofDays(-100_000));
        Path aside = root.resolve(".removed").resolve(orphan);
        Files.setLastModifiedTime(aside, FileTime.from(NOW.minus(Duration.ofDays(29))));
        store.sweep(name -> false, Duration.ofDays(-100_000));
        assertThat(aside).exists();

        Files.setLastModifiedTime(aside, FileTime.from(NOW.minus(Duration.ofDays(31))));
        store.sweep(name -> false, Duration.ofDays(-100_000));
        assertThat(aside).doesNotExist();
    }

    /** As with an empty database on the folder of a site that has one. */
    @Test
    void aSweepOfMoreThanTwentyFilesAndATenthMovesNothing() throws IOException {
        for (int i = 0; i < 22; i++) {
            upload("file-" + i + ".txt", "content " + i);
        }
        assertThat(store.sweep(name -> false, Duration.ofDays(-100_000)))
                .isEqualTo(new UploadStore.Swept(22, 22, true));
        assertThat(root.resolve(".removed")).doesNotExist();
        assertThat(store.sweep(name -> name.endsWith("-0.txt") || name.endsWith("-1.txt"), Duration.ofDays(-100_000)))
                .isEqualTo(new UploadStore.Swept(22, 20, false));
        assertThat(store.hasUploads()).isTrue();
    }

    private String upload(String name, String content) throws IOException {
        try (UploadStore.Incoming incoming = store.receive(new ByteArrayInputStream(content.getBytes(UTF_8)))) {
            return store.publish(incoming.file(), store.folder(), name);
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
