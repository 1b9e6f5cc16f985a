package io.github.ratelimit.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.tools.ToolProvider;

/**
 * What the library adds to the start of an application on Spring Boot with 1,000 beans and no annotation of ours: CPU time of the process.
 *
 * <p>{@code java -cp benchmarks.jar io.github.ratelimit.benchmarks.StartCost CLASSPATH [starts]}. The class path is one of an application on
 * Spring MVC with the library, all of it jars. The application is compiled against it and starts in turns with the library and without, ten times each if not
 * said; the first turn is not counted. Without it, no entry of the class path whose module is called {@code ratelimit-…} is there.
 */
public final class StartCost {

    private static final int BEANS = 1_000;

    private static final String APPLICATION = """
            package app;

            import java.lang.management.ManagementFactory;
            import org.springframework.boot.SpringApplication;
            import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
            import org.springframework.context.annotation.*;

            @Configuration(proxyBeanMethods = false)
            @EnableAutoConfiguration
            @ComponentScan
            public class Application {

                public static void main(String[] arguments) {
                    var context = SpringApplication.run(Application.class, "--server.port=0", "--logging.level.root=warn",
                            "--server.address=127.0.0.1", "--spring.main.banner-mode=off", "--spring.main.web-application-type=servlet");
                    var process = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
                    System.out.println("nanos " + process.getProcessCpuTime());
                    context.close();
                    System.exit(0);
                }
            }
            """;

    private static final String BEAN = """
            package app;

            @org.springframework.stereotype.Component
            class Bean%1$d implements java.util.function.Supplier<String> {

                private final String name = "bean %1$d";

                public String get() {
                    return name;
                }

                public int length(String of) {
                    return of.length() + name.length();
                }

                String both(String one, Integer other) {
                    return one + other + name;
                }
            }
            """;

    private StartCost() {}

    /** Measures and prints. Arguments: a class path, and how many starts of each. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            throw new IllegalArgumentException("the class path of an application with the library must be given");
        }
        int starts = arguments.length == 1 ? 10 : Integer.parseInt(arguments[1]);
        Path classes = compiled(arguments[0]);
        String with = arguments[0] + File.pathSeparator + classes; // last: a directory is slow to search
        String without = Arrays.stream(with.split(File.pathSeparator))
                .filter(entry -> !entry.contains(File.separator + "ratelimit-"))
                .collect(Collectors.joining(File.pathSeparator));
        Figures ours = new Figures();
        Figures bare = new Figures();
        for (int i = 0; i <= starts; i++) {
            double alone = millis(without);
            double both = millis(with);
            if (i > 0) {
                bare.add(alone);
                ours.add(both);
            }
        }
        double base = bare.median();
        double more = ours.median() - base;
        System.out.printf(
                Locale.ROOT,
                "%d starts each, %d beans: %.0f ms of CPU without, %.0f ms with; difference %.0f ms, ratio %.3f%n",
                starts,
                BEANS,
                base,
                base + more,
                more,
                (base + more) / base);
    }

    private static Path compiled(String classPath) throws IOException {
        Path sources = Files.createTempDirectory("start-cost");
        List<String> files = new ArrayList<>();
        files.add(Files.writeString(sources.resolve("Application.java"), APPLICATION)
                .toString());
        for (int i : IntStream.range(0, BEANS).toArray()) {
            files.add(Files.writeString(sources.resolve("Bean" + i + ".java"), BEAN.formatted(i))
                    .toString());
        }
        Path classes = Files.createDirectory(sources.resolve("classes"));
        List<String> options =
                new ArrayList<>(List.of("-proc:none", "-parameters", "-cp", classPath, "-d", classes.toString()));
        options.addAll(files);
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("the application does not compile against " + classPath);
        }
        return classes;
    }

    private static double millis(String classPath) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        "app.Application")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return output.lines()
                .filter(line -> line.startsWith("nanos "))
                .mapToDouble(line -> Double.parseDouble(line.substring("nanos ".length())) / 1_000_000)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the application did not start: " + output));
    }
}
