package io.github.ratelimit.content.server.settings;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key under which this server keeps what must not be read back, and signs what must come back unchanged.
 *
 * <p>Kept apart from the database: who reads the one without the other can check no guess. Safe for concurrent use.
 */
public final class ServerKey {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int BYTES = 32;

    private final SecretKeySpec key;

    private ServerKey(byte[] key) {
        this.key = new SecretKeySpec(key, ALGORITHM);
    }

    /**
     * Uses a key that was configured.
     *
     * @param base64 32 bytes or more
     * @return the key
     * @throws InvalidSettingException if it is no base64, or shorter
     */
    public static ServerKey of(String base64) {
        return new ServerKey(decoded("content-api.server-key", base64));
    }

    /**
     * Decodes a key that was configured. No message repeats any of it.
     *
     * @param property that holds it
     * @param base64 32 bytes or more
     * @return the bytes
     * @throws InvalidSettingException if it is no base64, or shorter
     */
    public static byte[] decoded(String property, String base64) {
        byte[] key;
        try {
            key = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            key = new byte[0];
        }
        if (key.length < BYTES) {
            throw new InvalidSettingException(
                    property,
                    "must be base64 of " + BYTES + " bytes or more",
                    "Set it to the output of: openssl rand -base64 32, or remove it to use the key in the data directory.");
        }
        return key;
    }

    /**
     * Reads the key of a file, which is made where it is missing, readable by its owner alone.
     *
     * @param file where the key is kept; its directory is made too
     * @return the key
     * @throws UncheckedIOException if the file can neither be read nor made
     * @throws InvalidSettingException if the file holds no key
     */
    public static ServerKey in(Path file) {
        try {
            if (!Files.exists(file)) {
                create(file);
            }
            return of(Files.readString(file, StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException("the server's key cannot be kept in " + file, e);
        }
    }

    private static void create(Path file) throws IOException {
        Path directory = file.toAbsolutePath().getParent();
        if (directory != null) {
            Files.createDirectories(directory);
        }
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        byte[] text = (Base64.getEncoder().encodeToString(key) + "\n").getBytes(StandardCharsets.US_ASCII);
        Path draft = Files.createTempFile(
                directory, file.getFileName().toString(), ".new", PrivateFiles.permissions(file, "rw-------"));
        try {
            try (FileChannel channel = FileChannel.open(draft, EnumSet.of(StandardOpenOption.WRITE))) {
                channel.write(ByteBuffer.wrap(text));
                channel.force(true);
            }
            // A link, not a move: it fails where another server that starts now was faster, and its key stays.
            Files.createLink(file, draft);
        } catch (FileAlreadyExistsException e) {
            // Its key is read in a moment.
            return;
        } catch (UnsupportedOperationException e) {
            Files.move(draft, file);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /**
     * Authenticates a text.
     *
     * @param purpose what for; texts of one purpose never pass for texts of another
     * @param text any text
     * @return 64 hexadecimal digits
     */
    public String sign(String purpose, String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(purpose.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
        }
    }

    /**
     * Compares in constant time: how far two secrets are alike must not show.
     *
     * @param one any text
     * @param other any text
     * @return whether they are equal
     */
    public static boolean areEqual(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "ServerKey";
    }
}
