package io.github.ratelimit.content.cms.media;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a file's head tells, of files that are written here byte by byte, in hexadecimal, names as they are. */
class FileHeaderTest {

    private static final String FRAME = "FFFB9064"; // MPEG-1, layer III, 128 kbit/s, 44 100 Hz

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "BMP whose rows go down, 424D zeros:16 90010000 D4FEFFFF zeros:4, 400, 300",
        "TIFF of Intel order, 49492A00 08000000 0200 0001 0300 01000000 84030000 0101 0400 01000000 58020000, 900, 600",
        "TIFF of Motorola order, 4D4D002A 00000008 0002 0100 0003 00000001 03840000 0101 0004 00000001 00000258, 900, 600",
        "HEIC of tiles, 00000014 ftyp heic zeros:8 00000044 meta 00000000 00000038 iprp 00000030 ipco"
                + " 00000014 ispe 00000000 00000200 00000200 00000014 ispe 00000000 00000FC0 00000BD0, 4032, 3024",
        "cut off, 424D 0000, 0, 0",
        "a directory outside the file, 49492A00 FFFFFFFF zeros:40, 0, 0"
    })
    void sizeOfAPicture(String what, String bytes, int width, int height) throws IOException {
        assertThat(FileHeader.size(file(bytes))).as(what).containsExactly(width, height);
    }

    @ParameterizedTest
    @CsvSource({
        "of one rate, FRAME zeros:31996, 2, 0:02",
        "behind a tag, ID3 0300 00 00000105 zeros:133 FRAME zeros:15996, 1, 0:01",
        "with its number of frames, FRAME zeros:32 Xing 00000001 00023F48 zeros:150, 3847, 1:04:07",
        "no frame, FFE00000 zeros:999, 0, ''",
        "film, 00000014 ftyp isom zeros:8 0000001C moov 00000014 mvhd zeros:12, 0, ''",
        "film of a new kind, 00000034 moov 0000002C mvhd 01000000 zeros:16 00000258 000000000000EA60 zeros:4, 100, 1:40",
        "film whose box is longer than the file, 00000014 ftyp isom zeros:8 7FFFFFFF moov, 0, ''"
    })
    void lengthOfASoundOrFilm(String what, String bytes, long length, String formatted) throws IOException {
        ObjectNode details = JsonNodeFactory.instance.objectNode();
        FileHeader.putLength(details, file(bytes));
        assertThat(details.path("length").asLong(0)).as(what).isEqualTo(length);
        assertThat(details.path("length_formatted").asString("")).as(what).isEqualTo(formatted);
    }

    /** Whatever stands in a file, it ends soon and fails nothing. */
    @Test
    void anyBytesAreRead() throws IOException {
        Random random = new Random(1);
        String[] heads = {"ID3", "RIFF", "BM", "II*\0", "MM\0*", "\0\0\0\30ftypheic", "\0\0\0\10meta\0\0\0\0"};
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(300)];
            random.nextBytes(bytes);
            byte[] head = heads[i % heads.length].getBytes(ISO_8859_1);
            System.arraycopy(head, 0, bytes, 0, Math.min(head.length, bytes.length));
            Path file = Files.write(folder.resolve("any"), bytes);
            ObjectNode details = JsonNodeFactory.instance.objectNode();
            FileHeader.putLength(details, file);
            assertThat(details.path("length").asLong(0)).isNotNegative();
            assertThat(Arrays.stream(FileHeader.size(file))).allMatch(side -> side >= 0);
        }
    }

    private Path file(String described) throws IOException {
        StringBuilder hex = new StringBuilder();
        for (String part : described.replace("FRAME", FRAME).split(" ")) {
            if (part.startsWith("zeros:")) {
                hex.append("00".repeat(Integer.parseInt(part.substring(6))));
            } else if (part.matches("[0-9A-F]+")) {
                hex.append(part);
            } else {
                hex.append(HexFormat.of().formatHex(part.getBytes(ISO_8859_1)));
            }
        }
        return Files.write(folder.resolve("file"), HexFormat.of().parseHex(hex));
    }
}
