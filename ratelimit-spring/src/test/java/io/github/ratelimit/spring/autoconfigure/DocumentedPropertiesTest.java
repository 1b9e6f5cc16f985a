package io.github.ratelimit.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.http.HttpCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** An application starts with the YAML of each page as it stands there. That of the recipes does more: {@link RecipesTest}. */
class DocumentedPropertiesTest {

    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)\n```", Pattern.DOTALL);
    private static final String NAME_OF_YOUR_OWN = "<name>";

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withInitializer(
                    context -> // as SpringApplication does
                    context.getEnvironment().setConversionService(new ApplicationConversionService()))
            .withConfiguration(Ours.autoConfigurations())
            .withUserConfiguration(Application.class);

    /** With the beans that the pages name. */
    @Configuration(proxyBeanMethods = false)
    @EnableWebMvc
    static class Application {

        @Bean
        Predicate<HttpCall> internalCalls() {
            return call -> false;
        }

        @Bean
        DataSource dataSource() {
            PGSimpleDataSource nowhere = new PGSimpleDataSource();
            nowhere.setPortNumbers(new int[] {1});
            return nowhere;
        }
    }

    /**
     * A block of YAML.
     *
     * @param page where it stands
     * @param number which one it is there, from 1
     */
    record Block(Path page, int number, String text) {

        PropertySource<?> properties() throws IOException {
            String yaml = text.replace(NAME_OF_YOUR_OWN, "named");
            return new YamlPropertySourceLoader()
                    .load("page", new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)))
                    .get(0);
        }

        @Override
        public String toString() {
            return page.getFileName() + ", block " + number;
        }
    }

    static List<Block> blocks() throws IOException {
        List<Block> blocks = new ArrayList<>();
        try (Stream<Path> docs = Files.list(Path.of("..", "docs"))) {
            List<Path> pages = Stream.concat(Stream.of(Path.of("..", "README.md")), docs.sorted())
                    .filter(page -> page.toString().endsWith(".md") && !page.endsWith("recipes.md"))
                    .toList();
            for (Path page : pages) {
                Matcher block = BLOCK.matcher(Files.readString(page));
                for (int number = 1; block.find(); number++) {
                    blocks.add(new Block(page, number, block.group(1)));
                }
            }
        }
        assertThat(blocks).hasSizeGreaterThan(12);
        return blocks;
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void applicationStartsWithTheYamlOfThePage(Block block) throws IOException {
        PropertySource<?> properties = block.properties();
        runner.withInitializer(
                        context -> context.getEnvironment().getPropertySources().addFirst(properties))
                .run(context -> assertThat(context).hasNotFailed());
    }
}
