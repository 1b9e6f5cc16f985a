package io.github.ratelimit.content.cms.media.storage;

import static java.util.Objects.requireNonNull;

import io.github.ratelimit.content.server.http.UnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of uploaded files, by year and month.
 *
 * <p>A file appears under its name whole and forced to disk, or not at all; two files never get one name. Safe for
 * concurrent use, also by several processes on one folder.
 */
public final class UploadStore {

    /** Where files lie until they are whole; begins with a dot, so that no address leads there. */
    private static final String INCOMING = ".incoming";

    /** Where swept files lie until they are removed for good. */
    private static final String REMOVED = ".removed";

    /** Chosen: as long as a backup is looked for. */
    private static final Duration KEPT = Duration.ofDays(30);

    /** Chosen: a crash leaves a few files. More than these, and more than a tenth of all, belong to another database. */
    private static final int MOST_SWEPT = 20;

    /** As it is spelled on disk: of what has its bytes spelled, none is a byte of ASCII. */
    private static final Pattern RELATIVE =
            Pattern.compile("[0-9]{4}/[0-9]{2}/(?![.-])(?:[A-Za-z0-9_.@-]|%[89A-F][0-9A-F]){1,255}");

    private static final DateTimeFormatter FOLDER =
            DateTimeFormatter.ofPattern("uuuu/MM", Locale.ROOT).withZone(ZoneOffset.UTC);

    /** Chosen: each try looks at the disk. Behind so many files of one name, the name gets a random number. */
    private static final int MOST_NUMBERS = 100;

    /** In bytes; below it the disk is full. */
    private static final long LEAST_FREE = 64L << 20;

    private final InstantSource clock;
    private final Path root;

    /**
     * Opens the folder, and makes it where it is missing.
     *
     * @param clock dates the folders
     * @param root the folder
     */
    public UploadStore(InstantSource clock, Path root) {
        this.clock = clock;
        this.root = root.toAbsolutePath().normalize();
        try {
            Files.createDirectories(incoming());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make the folder of uploads " + this.root, e);
        }
    }

    /**
     * A file that was received and has no name yet. Closing it removes it if it was not published.
     *
     * @param file where it lies for now
     * @param size in bytes
     */
    public record Incoming(Path file, long size) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            Files.deleteIfExists(file);
        }
    }

    /**
     * Receives a file.
     *
     * @param in read to its end, not closed
     * @return the file, which {@link #publish} and {@link #replace} force to disk
     */
    public Incoming receive(InputStream in) throws IOException {
        Path file = newFile();
        try {
            return new Incoming(file, Files.copy(in, file));
        } catch (IOException e) {
            RuntimeException failure = failure("an upload could not be received", e);
            Files.deleteIfExists(file); // only now, because this frees disk space
            throw failure;
        }
    }

    /** Says whether the disk takes hardly anything more. */
    public boolean isFull() {
        return root.toFile().getUsableSpace() < LEAST_FREE;
    }

    /**
     * Makes of a failure what a client is told.
     *
     * @param what failed
     * @param why it failed
     * @return to be thrown: a rejection for now where the disk is full, else a fault
     */
    public RuntimeException failure(String what, IOException why) {
        return isFull()
                ? UnavailableException.busy("The disk of this server is full.")
                : new UncheckedIOException(what, why);
    }

    /** Returns the folder of files that are not whole yet. What processes that died left in it is {@linkplain #sweep swept}. */
    public Path incoming() {
        return root.resolve(INCOMING);
    }

    /** Returns a place for a file that is still to be written; it counts as received once it is published. */
    public Path newFile() {
        return incoming().resolve(UUID.randomUUID() + ".part");
    }

    /** Returns the folder, relative to the root, that files get now; with slashes, for example {@code 2024/01}. */
    public String folder() {
        return FOLDER.format(clock.instant());
    }

    /**
     * Gives a received file a name that no other has.
     *
     * @param file from {@link #receive} or {@link #newFile}; is gone afterwards
     * @param folder from {@link #folder()}
     * @param name a clean name; a number is put behind it where it is taken
     * @return the relative path that it got, with slashes
     */
    public String publish(Path file, String folder, String name) throws IOException {
        Path directory = directory(folder);
        force(file);
        for (int attempt = 0; attempt <= MOST_NUMBERS; attempt++) {
            int number = attempt < MOST_NUMBERS
                    ? attempt
                    : ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
            String tried = FileNames.numbered(name, number);
            if (!isTaken(directory, tried) && moveTo(file, directory.resolve(FileNames.onDisk(tried)))) {
                force(directory);
                return folder + "/" + tried;
            }
        }
        throw new IOException("no name is left for " + name);
    }

    /**
     * Puts a received file to a name that only this upload can have, in place of what is there.
     *
     * @param path relative, derived from one that {@link #publish} returned
     */
    public void replace(Path file, String path) throws IOException {
        Path target = resolve(path).orElseThrow(() -> new IOException("not a path of an upload"));
        force(file);
        Files.move(file, target, StandardCopyOption.ATOMIC_MOVE);
        force(requireNonNull(target.getParent()));
    }

    /**
     * Finds a file.
     *
     * @param path relative, with slashes
     * @return where it lies or would lie; empty if no upload can have such a path
     */
    public Optional<Path> resolve(String path) {
        String spelled = FileNames.onDisk(path);
        return RELATIVE.matcher(spelled).matches() ? Optional.of(root.resolve(spelled)) : Optional.empty();
    }

    /** Removes a file, if it is there. */
    public void delete(String path) throws IOException {
        Optional<Path> file = resolve(path);
        if (file.isPresent()) {
            Files.deleteIfExists(file.get());
        }
    }

    /**
     * What a sweep found.
     *
     * @param uploads how many files there are
     * @param orphans how many of them no row names
     * @param isRefused whether they are so many that none was moved
     */
    public record Swept(int uploads, int orphans, boolean isRefused) {}

    /**
     * Moves files aside that no row names, and removes them 30 days later. Processes that died leave them behind, as do rows that nobody knows to
     * be stored. Files that were never whole are removed at once.
     *
     * @param isKnown tells whether a row names a relative path
     * @param age younger files are let be: their rows may be about to be written
     * @return what it found; more than 20 orphans that are more than a tenth of all files stay, because they belong to another database
     */
    public Swept sweep(Predicate<String> isKnown, Duration age) throws IOException {
        Instant limit = clock.instant().minus(age);
        List<Path> orphans = new ArrayList<>();
        List<Path> halves = new ArrayList<>();
        int uploads = 0;
        for (Path file : files(root)) {
            String path = root.relativize(file).toString().replace('\\', '/');
            boolean isUpload = RELATIVE.matcher(path).matches();
            uploads += isUpload ? 1 : 0;
            if (!isOlder(file, limit)) {
                continue;
            }
            if (path.startsWith(INCOMING + "/")) {
                halves.add(file);
            } else if (isUpload && !isKnown.test(FileNames.fromDisk(path))) {
                orphans.add(file);
            }
        }
        for (Path half : halves) {
            Files.deleteIfExists(half);
        }
        removeForGood();
        boolean isRefused = orphans.size() > MOST_SWEPT && orphans.size() > uploads / 10;
        for (Path orphan : isRefused ? List.<Path>of() : orphans) {
            Path aside = root.resolve(REMOVED).resolve(root.relativize(orphan));
            Files.createDirectories(requireNonNull(aside.getParent()));
            Files.move(orphan, aside, StandardCopyOption.REPLACE_EXISTING);
            Files.setLastModifiedTime(aside, FileTime.from(clock.instant()));
        }
        return new Swept(uploads, orphans.size(), isRefused);
    }

    private void removeForGood() throws IOException {
        Path removed = root.resolve(REMOVED);
        if (Files.isDirectory(removed)) {
            for (Path file : files(removed)) {
                if (isOlder(file, clock.instant().minus(KEPT))) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    /** Whether there is any uploaded file. */
    public boolean hasUploads() throws IOException {
        return files(root).stream()
                .anyMatch(file -> RELATIVE.matcher(
                                root.relativize(file).toString().replace('\\', '/'))
                        .matches());
    }

    /** All files by year and month. Without those that went away meanwhile: the next look sees the rest. */
    private static List<Path> files(Path folder) throws IOException {
        List<Path> all = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder, 3)) {
            files.filter(Files::isRegularFile).forEach(all::add);
        } catch (UncheckedIOException | NoSuchFileException e) {
            return all;
        }
        return all;
    }

    private static boolean isOlder(Path file, Instant limit) throws IOException {
        try {
            return Files.getLastModifiedTime(file).toInstant().isBefore(limit);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private Path directory(String folder) throws IOException {
        Path directory = root.resolve(folder);
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
            force(requireNonNull(directory.getParent()));
            force(root);
        }
        return directory;
    }

    /** File systems differ in whether case matters; names that differ in case alone are one to us. */
    private static boolean isTaken(Path directory, String name) {
        return Files.exists(directory.resolve(FileNames.onDisk(name)))
                || Files.exists(directory.resolve(FileNames.onDisk(name.toLowerCase(Locale.ROOT))));
    }

    /** Links and then unlinks, because a move would replace a file of that name. */
    private static boolean moveTo(Path file, Path target) throws IOException {
        try {
            Files.createLink(target, file);
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        Files.delete(file);
        return true;
    }

    /** Forces a file or the entries of a folder to disk; systems that cannot open a folder need no such thing. */
    private static void force(Path path) throws IOException {
        StandardOpenOption mode = Files.isDirectory(path) ? StandardOpenOption.READ : StandardOpenOption.WRITE;
        try (FileChannel channel = FileChannel.open(path, mode)) {
            channel.force(true);
        } catch (IOException e) {
            if (!Files.isDirectory(path)) {
                throw e;
            }
        }
    }
}
