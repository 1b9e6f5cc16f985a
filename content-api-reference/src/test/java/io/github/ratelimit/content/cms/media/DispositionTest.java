package io.github.ratelimit.content.cms.media;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.fuzz.Growth;
import io.github.ratelimit.content.fuzz.Pieces;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rule: BEHAVIOUR section 9, the name of a raw upload. */
class DispositionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "attachment; filename=\"foo.jpg\" | foo.jpg",
                "inline;filename=foo.jpg | foo.jpg",
                "attachment; filename = my foo picture.jpg | my foo picture.jpg",
                "form-data; name=\"myfile\"; filename=\"foo.jpg\"; something=\"else\" | foo.jpg",
                "attachment; filename=one.jpg; filename=two.jpg | two.jpg",
            })
    void readsTheName(String field, String name) {
        assertThat(Disposition.fileName(field)).contains(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "filename=\"foo.jpg\"",
                "foo.jpg",
                "attachment; notfilename=\"foo.jpg\"",
                "attachment; filename=",
                "attachment; filename=\"\"",
                "attachment; filename=\"",
                "attachment; filename*=UTF-8''foo.jpg"
            })
    void findsNoName(String field) {
        assertThat(Disposition.fileName(field)).isEmpty();
    }

    @Test
    void readsLettersAsTheyWereSent() {
        String sent = "attachment; filename=\"Größe.png\"";

        assertThat(Disposition.fileName(new String(sent.getBytes(UTF_8), ISO_8859_1)))
                .contains("Größe.png");
        assertThat(Disposition.fileName(
                        new String("attachment; filename=na\u00efve.png".getBytes(ISO_8859_1), ISO_8859_1)))
                .contains("na\u00efve.png");
        assertThat(Disposition.fileName(sent)).contains("Größe.png");
        assertThat(Disposition.fileName("attachment; filename=日本.png")).contains("日本.png");
    }

    @Test
    void anyFieldIsReadInProportionToItsLength() {
        for (String piece : Pieces.seeds()) {
            Growth.assertLinear("name of a file", piece, Disposition::fileName);
            Growth.assertLinear(
                    "names of files", ";filename=\"" + piece, field -> Disposition.fileName("attachment" + field));
        }
    }
}
