package io.github.ratelimit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page for coding agents is made of the pages for people: {@code -Dpictures=write} writes it anew. */
class LlmsTextTest {

    private static final Path ROOT = Path.of("..");
    private static final Path FILE = ROOT.resolve("llms.txt");
    private static final String PAGES = "https://github.com/ratelimit/ratelimit/blob/main/";

    /** Chosen: what an agent reads at once. */
    private static final int MOST_WORDS = 3000;

    private static final Pattern NOT_FOR_AGENTS =
            Pattern.compile("<!-- .*? -->\\n|^\\[?!\\[.*\\n|^The imports: .*\\n\\n?", Pattern.MULTILINE);
    private static final Pattern LINK = Pattern.compile("]\\((?!https?:)([^)]*)\\)");

    @Test
    void pageForAgentsHasTheFirstScreenTheQuickStartAndTheRecipes() throws IOException {
        String readme = page("README.md");
        String versions =
                readme.substring(readme.indexOf("## Stores and versions"), readme.indexOf("## Documentation"));
        String text = readme.substring(0, readme.indexOf("## See it work"))
                + versions
                + page("docs/quick-start.md").replaceFirst("# ", "## ").replace("\n## ", "\n### ")
                + "\n"
                + page("docs/recipes.md").replaceFirst("# ", "## ").replace("\n## ", "\n### ");
        if ("write".equals(System.getProperty("pictures"))) {
            Files.writeString(FILE, text);
        }
        assertThat(FILE).as("run with -Dpictures=write").hasContent(text);
        assertThat(Stream.of(text.split("\\s+"))).hasSizeLessThanOrEqualTo(MOST_WORDS);
    }

    /** A page without marks and pictures, and with addresses in its links. */
    private static String page(String path) throws IOException {
        String folder = path.substring(0, path.lastIndexOf('/') + 1);
        String text =
                NOT_FOR_AGENTS.matcher(Files.readString(ROOT.resolve(path))).replaceAll("");
        return LINK.matcher(text).replaceAll(link -> {
            String target = link.group(1).startsWith("#") ? path + link.group(1) : folder + link.group(1);
            return "](" + PAGES + Path.of(target).normalize() + ")";
        });
    }
}
