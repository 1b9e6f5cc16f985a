package io.github.ratelimit.content.shared.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;
import org.jspecify.annotations.Nullable;

/**
 * Files of the embedded database whose writes are on the disk before the database goes on: {@code jdbc:h2:flushed:./data/content}.
 *
 * <p>H2 writes changes behind each other and takes the space of what was overwritten again, but leaves it to the system when, and in which order, its
 * writes reach the disk. A power cut then loses what was answered; and where space was taken again before what replaced it was on the disk, no
 * state of the file is whole. Flushed one by one, the disk is never behind the database: space may be taken again at once.
 *
 * <p>Public, as H2 makes instances of it. Safe for concurrent use as far as H2's own files are.
 */
public final class FlushedFiles extends FilePathWrapper {

    /** What stands behind {@code jdbc:h2:} in an address. */
    public static final String SCHEME = "flushed";

    /**
     * In bytes. Java copies what it reads and writes by way of memory outside of the heap, as much as that is at once, and keeps it for each thread:
     * of a hundred threads that have written a few megabytes each, half a gigabyte.
     */
    private static final int PIECE = 1 << 16;

    /** Makes the scheme known to H2 in this process; more than once changes nothing. */
    public static void register() {
        FilePath.register(new FlushedFiles());
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new Flushed(super.open(mode));
    }

    /** Every change is followed by a flush of the data, and of the length where that is part of it. */
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // the file behind it takes care of that by itself
    private static final class Flushed extends FileBase {

        private final FileChannel file;

        Flushed(FileChannel file) {
            this.file = file;
        }

        private interface Transfer {
            int of(ByteBuffer piece) throws IOException;
        }

        /** Reads or writes the next bytes, no more than one piece of them. */
        private static int inPieces(ByteBuffer bytes, Transfer transfer) throws IOException {
            int end = bytes.limit();
            bytes.limit(Math.min(end, bytes.position() + PIECE));
            try {
                return transfer.of(bytes);
            } finally {
                bytes.limit(end);
            }
        }

        @Override
        public int write(ByteBuffer bytes, long position) throws IOException {
            int written = 0;
            while (bytes.hasRemaining()) {
                long next = position + written;
                written += inPieces(bytes, piece -> file.write(piece, next));
            }
            file.force(false);
            return written;
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            int written = 0;
            while (bytes.hasRemaining()) {
                written += inPieces(bytes, file::write);
            }
            file.force(false);
            return written;
        }

        @Override
        public FileChannel truncate(long length) throws IOException {
            file.truncate(length);
            file.force(false);
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            file.force(metaData);
        }

        @Override
        public int read(ByteBuffer bytes) throws IOException {
            return inPieces(bytes, file::read);
        }

        @Override
        public int read(ByteBuffer bytes, long position) throws IOException {
            return inPieces(bytes, piece -> file.read(piece, position));
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
