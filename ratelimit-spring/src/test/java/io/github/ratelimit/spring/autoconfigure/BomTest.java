package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** What is published of the BOM: not the file that is written by hand, which has a parent. */
class BomTest {

    private static final Path MODULES = Path.of("..");

    private static Document published() throws Exception {
        String path =
                System.getProperty("publishedBom", "../ratelimit-bom/target/flattened-pom.xml"); // set by the build
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(Path.of(path).toFile());
    }

    private static List<String> texts(Document document, String element) {
        NodeList found = document.getElementsByTagName(element);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent());
        }
        return texts;
    }

    /** An application that imports it beside Spring Boot's own would be given our versions of Micrometer and Lettuce, and not start. */
    @Test
    void managesOurModulesAndNothingElse() throws Exception {
        Document bom = published();
        assertThat(bom.getElementsByTagName("parent").getLength())
                .as("a parent brings all that it manages")
                .isZero();
        assertThat(texts(bom, "groupId")).containsOnly("io.github.ratelimit");
        assertThat(texts(bom, "scope")).doesNotContain("import");
        assertThat(texts(bom, "packaging")).containsExactly("pom");
    }

    @Test
    void managesEveryModuleThatIsPublished() throws Exception {
        List<String> modules;
        try (Stream<Path> folders = Files.list(MODULES)) {
            modules = folders.filter(folder -> Files.exists(folder.resolve("pom.xml")))
                    .map(folder -> folder.getFileName().toString())
                    .filter(name -> name.startsWith("ratelimit-") && !name.equals("ratelimit-benchmarks"))
                    .toList();
        }
        assertThat(texts(published(), "artifactId"))
                .as("the BOM and what it manages")
                .containsExactlyInAnyOrderElementsOf(modules);
    }
}
