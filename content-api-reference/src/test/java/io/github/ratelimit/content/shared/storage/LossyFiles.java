package io.github.ratelimit.content.shared.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A file of H2's on a disk that loses its power: {@code jdbc:h2:lossy:…}. What was written since the last flush is on the disk in any order, in
 * part, or not at all. One file at a time.
 */
public final class LossyFiles extends FilePathWrapper {

    private static final int SECTOR = 512;

    private static LossyFiles.Disk disk = new Disk(Path.of("none"), new Random(0));

    /** Makes the scheme known to H2, for one file. */
    static Disk register(Path folder, Random random) {
        disk = new Disk(folder, random);
        FilePath.register(new LossyFiles());
        return disk;
    }

    @Override
    public String getScheme() {
        return "lossy";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        FileChannel file = super.open(mode);
        return name.endsWith(".mv.db") ? new Recorded(file, disk) : file;
    }

    /** A change that may not be on the disk yet: bytes at a place, or a new length. */
    private record Change(long position, ByteBuffer bytes, boolean truncates) {

        int length() {
            return bytes.remaining();
        }

        void apply(FileChannel to, int length) throws IOException {
            if (truncates) {
                to.truncate(position);
            } else {
                to.write(bytes.slice(0, length), position);
            }
        }
    }

    /** What happens at a write. */
    @FunctionalInterface
    interface OnWrite {
        void run() throws IOException;
    }

    /** What is on the disk for sure, and what is not. */
    static final class Disk {

        private final Path folder;
        private final Path safe;
        private final Random random;
        private final List<Change> unsafe = new ArrayList<>();
        private long writes;
        private long written;
        private OnWrite onWrite = () -> {};

        private Disk(Path folder, Random random) {
            this.folder = folder;
            this.safe = folder.resolve("safe");
            this.random = random;
        }

        /** Is called at each write, when it is not yet on the disk; what it throws is what the system says to the write. */
        synchronized void onWrite(OnWrite action) {
            onWrite = action;
        }

        synchronized long writes() {
            return writes;
        }

        synchronized long written() {
            return written;
        }

        private synchronized void change(Change change) throws IOException {
            unsafe.add(change);
            writes++;
            written += change.length();
            onWrite.run();
        }

        private synchronized void flush() throws IOException {
            try (FileChannel to = FileChannel.open(safe, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                for (Change change : unsafe) {
                    change.apply(to, change.length());
                }
            }
            unsafe.clear();
        }

        /** What is found when the power is back. */
        synchronized Path cut(String name) {
            try {
                Path found = folder.resolve(name);
                if (Files.exists(safe)) {
                    Files.copy(safe, found, StandardCopyOption.REPLACE_EXISTING);
                }
                try (FileChannel to = FileChannel.open(found, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                    for (Change change : unsafe) {
                        switch (random.nextInt(3)) {
                            case 0 -> change.apply(to, change.length());
                            case 1 -> change.apply(to, torn(change.length()));
                            default -> {} // lost
                        }
                    }
                }
                return found;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private int torn(int length) {
            return length < SECTOR ? length : random.nextInt(length / SECTOR + 1) * SECTOR;
        }
    }

    /** Tells the disk of what is done to the file. */
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // file and disk take care of that by themselves
    private static final class Recorded extends FileBase {

        private final FileChannel file;
        private final Disk disk;

        Recorded(FileChannel file, Disk disk) {
            this.file = file;
            this.disk = disk;
        }

        @Override
        public int write(ByteBuffer bytes, long position) throws IOException {
            ByteBuffer copy = ByteBuffer.allocate(bytes.remaining());
            copy.put(bytes.duplicate()).flip();
            disk.change(new Change(position, copy, false));
            return file.write(bytes, position);
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            long position = file.position();
            int written = write(bytes, position);
            file.position(position + written);
            return written;
        }

        @Override
        public FileChannel truncate(long length) throws IOException {
            file.truncate(length);
            disk.change(new Change(length, ByteBuffer.allocate(0), true));
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            disk.flush();
        }

        @Override
        public int read(ByteBuffer bytes) throws IOException {
            return file.read(bytes);
        }

        @Override
        public int read(ByteBuffer bytes, long position) throws IOException {
            return file.read(bytes, position);
        }

        @Override
        public long position() throws IOException {
            return file.position();
        }

        @Override
        public FileChannel position(long position) throws IOException {
            file.position(position);
            return this;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public @Nullable FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return file.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            file.close();
        }
    }
}
