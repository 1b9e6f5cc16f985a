package io.github.ratelimit.content.cms.media.image;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a file from front to back in small pieces; a file that ends too early is a broken picture. One thread only. */
final class ByteReader implements Closeable {

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private int next;
    private int end;
    private long consumed;

    ByteReader(Path file) throws IOException {
        in = Files.newInputStream(file);
    }

    long position() {
        return consumed;
    }

    /** Returns the next byte, or -1 at the end. */
    int read() throws IOException {
        if (next == end) {
            end = in.read(buffer);
            next = 0;
            if (end <= 0) {
                end = 0;
                return -1;
            }
        }
        consumed++;
        return buffer[next++] & 0xff;
    }

    int u8() throws IOException {
        int value = read();
        if (value < 0) {
            throw new EOFException("the picture is cut off");
        }
        return value;
    }

    int u16() throws IOException {
        return u8() << 8 | u8();
    }

    long u32() throws IOException {
        return (long) u16() << 16 | u16();
    }

    int u16LittleEndian() throws IOException {
        return u8() | u8() << 8;
    }

    int u24LittleEndian() throws IOException {
        return u16LittleEndian() | u8() << 16;
    }

    long u32LittleEndian() throws IOException {
        return u16LittleEndian() | (long) u16LittleEndian() << 16;
    }

    /** Returns the next bytes as text, a byte a character. */
    String text(int length) throws IOException {
        return new String(bytes(length), ISO_8859_1);
    }

    byte[] bytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) u8();
        }
        return bytes;
    }

    void skip(long count) throws IOException {
        long buffered = Math.min(count, end - next);
        next += (int) buffered;
        consumed += buffered;
        long rest = count - buffered;
        if (rest > 0) {
            in.skipNBytes(rest);
            consumed += rest;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
