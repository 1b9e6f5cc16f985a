package io.github.ratelimit.content.media.storage;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNamesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "up-raw.jpg | up-raw.jpg",
                "My Photo.JPG | My-Photo.JPG",
                "../../etc/passwd | passwd",
                "C:\\Users\\me\\pic.png | pic.png",
                "evil.php.jpg | evil-php.jpg",
                ".htaccess | file.htaccess",
                "..jpg | file.jpg",
                "übung é.png | ubung-e.png",
                "a\u0000b.png | a-b.png",
                "con.txt | file-con.txt",
                "x;y'z\"<q>.gif | x-y-z-q.gif",
                "日本.png | file.png",
                "a%2fb.png | a-2fb.png",
                "-rf.txt | rf.txt",
                "name | name",
                "photo.j\u202Egpj | photo.jgpj",
                "ﬁle.txt | file.txt",
                "a..b.txt | a-b.txt"
            })
    void cleans(String sent, String clean) {
        assertThat(FileNames.clean(sent)).isEqualTo(clean);
    }

    @Property
    void everyNameComesOutClean(@ForAll String sent) {
        String clean = FileNames.clean(sent);

        assertThat(clean)
                .matches("[A-Za-z0-9_][A-Za-z0-9_-]*(\\.[A-Za-z0-9_]+)?")
                .hasSizeLessThanOrEqualTo(120);
        assertThat(FileNames.clean(clean)).isEqualTo(clean);
    }

    @ParameterizedTest
    @CsvSource({
        "a.png, 0, a.png",
        "a.png, 2, a-2.png",
        "a-300x225.jpg, 0, a-300x225-1.jpg",
        "a-scaled.jpg, 1, a-scaled-2.jpg"
    })
    void numbersNamesThatAreTaken(String name, int number, String numbered) {
        assertThat(FileNames.numbered(name, number)).isEqualTo(numbered);
    }
}
