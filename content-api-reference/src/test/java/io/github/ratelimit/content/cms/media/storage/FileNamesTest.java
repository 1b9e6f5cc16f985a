package io.github.ratelimit.content.cms.media.storage;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileNamesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "up-raw.jpg | up-raw.jpg",
                "My Photo.JPG | My-Photo.jpg",
                "  two   spaces -- and more .PnG  | two-spaces-and-more-.png",
                "../../etc/passwd | etcpasswd",
                "C:\\Users\\me\\pic.png | CUsersmepic.png",
                "evil.php.jpg | evil.php_.jpg",
                "a.b.c.png | a.b.c.png",
                "backup.tar.gz | backup.tar.gz",
                "photo.PNG.exe | photo.PNG.exe",
                ".htaccess | htaccess",
                "..jpg | unnamed-file.jpg",
                "PNG | unnamed-file.png",
                "übung é Ø.png | ubung-e-O.png",
                "a\u0000b.png | ab.png",
                "con.txt | file-con.txt",
                "x;y'z\"<q>.gif | xyzq.gif",
                "fish & chips (1) 100%.png | fish-chips-1-100.png",
                "icon@2x.png | icon@2x.png",
                "日本 語.png | 日本-語.png",
                "Файл №1.TXT | Файл-№1.txt",
                "ไฟล์–๑.png | ไฟล์–๑.png",
                "photo（1）…—x.png | photo（1）…—x.png",
                "a\u3000b\u00A0c.png | a-b-c.png",
                "“a” «b» don’t x^y.png | a-b-dont-xy.png",
                "a😀b™.png | a😀b™.png",
                "\u202E\u200B\uE000.png | unnamed-file.png",
                "فارسی\u200Cها.png | فارسی\u200Cها.png",
                "क्\u200Dष.png | क्\u200Dष.png",
                "👩\u200D💻.png | 👩\u200D💻.png",
                "a\u200Db\u200C.png | ab.png",
                "語\u200D\u200D語\u200D.\u200Cpng | 語語.png",
                "a%20b+c.png | a20bc.png",
                "-rf.txt | rf.txt",
                "__init__.txt | init__.txt",
                "name | name",
                "photo.j\u202Egpj | photo.jgpj",
                "a..b.txt | a.b.txt",
                "jpg.__________b | unnamed-file.jpg",
                "a.php.__________b | a.php",
                "con.tar.gz | file-con.tar.gz",
                "a\u3164b\u115Fc\u1160d\uFFA0e\u2800.png | abcde.png",
                "\u3164\u2800 | unnamed-file"
            })
    void cleans(String sent, String clean) {
        assertThat(FileNames.clean(sent)).isEqualTo(clean);
    }

    @Property
    void everyNameComesOutClean(@ForAll String sent) {
        String clean = FileNames.clean(sent);

        assertThat(clean)
                .matches("[A-Za-z0-9@[^\\p{ASCII}\\p{C}\\p{Z}]][A-Za-z0-9@_.\u200C\u200D[^\\p{ASCII}\\p{C}\\p{Z}]-]*")
                .doesNotContainPattern("[\\p{ASCII}\u200C\u200D][\u200C\u200D]|[\u200C\u200D](?:[\\p{ASCII}]|$)")
                .doesNotContain("..");
        assertThat(FileNames.onDisk(clean)).matches("[A-Za-z0-9@_.%-]{1,233}");
        assertThat(FileNames.fromDisk(FileNames.onDisk(clean))).isEqualTo(clean);
        assertThat(FileNames.clean(clean)).isEqualTo(clean);
    }

    @Test
    void longNamesFitOnDisk() {
        assertThat(FileNames.clean("a-.b" + "x".repeat(300) + ".png")).isEqualTo("a-b" + "x".repeat(225) + ".png");
        assertThat(FileNames.clean("a".repeat(300) + ".png")).isEqualTo("a".repeat(229) + ".png");
        assertThat(FileNames.clean("語".repeat(100) + ".png")).isEqualTo("語".repeat(25) + ".png");
        assertThat(FileNames.onDisk(FileNames.clean("語".repeat(100) + "." + "😀".repeat(9))))
                .hasSizeLessThanOrEqualTo(233);
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
