package io.github.ratelimit.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** An application of {@code examples/spring}, with classes of its own, from the jars that are left of the class path. */
final class IsolatedApplication implements AutoCloseable {

    /** What an application does without: Spring Security would ask who is calling. */
    static final String SECURITY_AND_REDIS =
            "(spring-security|spring-boot-security|spring-data|spring-boot-data|lettuce|ratelimit-redis).*";

    private static final List<String> QUIET = List.of(
            "--server.port=0",
            "--server.address=127.0.0.1",
            "--spring.main.banner-mode=off",
            "--logging.level.root=off",
            "--spring.reactor.netty.shutdown-quiet-period=0s");

    private final String name;
    private final URLClassLoader loader;
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    /**
     * Sees what is there, and becomes the thread's class loader.
     *
     * @param name of the class in the package {@code demo}
     * @param without jars that are left out, as a regular expression of their names
     * @param classes directories that it has been compiled to, and jars that only it has
     */
    IsolatedApplication(String name, String without, Path... classes) throws IOException {
        this.name = "demo." + name;
        Pattern left = Pattern.compile(without);
        List<URL> urls = new ArrayList<>();
        for (Path each : classes) {
            urls.add(each.toUri().toURL());
        }
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            boolean tests = entry.endsWith("test-classes");
            if (!tests && !left.matcher(artifact(new File(entry))).matches()) {
                urls.add(new File(entry).toURI().toURL());
            }
        }
        this.loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        leaveUrlsAlone();
    }

    /** The name of a jar, or of the module whose classes are not in one yet. */
    private static String artifact(File entry) {
        String[] module = entry.getPath().split("[/\\\\]target[/\\\\]", 2);
        return new File(entry.isDirectory() ? module[0] : entry.getPath()).getName();
    }

    /** A process has one handler of URLs, and Tomcat would set its own: the next one in this process then could not start. */
    private void leaveUrlsAlone() {
        String handlers = "org.apache.catalina.webresources.TomcatURLStreamHandlerFactory";
        if (ClassUtils.isPresent(handlers, loader)) {
            ReflectionUtils.invokeMethod(
                    requireNonNull(
                            ReflectionUtils.findMethod(ClassUtils.resolveClassName(handlers, loader), "disable")),
                    null);
        }
    }

    void requireMissing(String... types) {
        for (String type : types) {
            assertThatThrownBy(() -> loader.loadClass(type)).isInstanceOf(ClassNotFoundException.class);
        }
    }

    /** Starts it; whoever closes the answer stops it. */
    AutoCloseable run(String... arguments) throws Exception {
        return (AutoCloseable) loader.loadClass("org.springframework.boot.SpringApplication")
                .getMethod("run", Class.class, String[].class)
                .invoke(null, loader.loadClass(name), quiet(List.of(), arguments));
    }

    /** Starts it by its own main method, which keeps the context in a field of that name. */
    AutoCloseable runMain(String... arguments) throws Exception {
        Class<?> type = loader.loadClass(name);
        type.getMethod("main", String[].class).invoke(null, (Object) quiet(List.of(), arguments));
        return (AutoCloseable) type.getField("context").get(null);
    }

    /**
     * Writes what stands in for its configuration, as a build does that processes it ahead of time.
     *
     * @param sources made anew
     * @param classes made anew
     */
    void processAheadOfTime(Path sources, Path classes, String... arguments) throws Exception {
        String resources = sources.resolveSibling("resources").toString();
        List<String> settings = List.of(name, sources.toString(), resources, classes.toString(), "group", "artifact");
        loader.loadClass("org.springframework.boot.SpringApplicationAotProcessor")
                .getMethod("main", String[].class)
                .invoke(null, (Object) quiet(settings, arguments));
    }

    private static String[] quiet(List<String> first, String... arguments) {
        return Stream.of(first, QUIET, List.of(arguments)).flatMap(List::stream).toArray(String[]::new);
    }

    static Object bean(Object context, String name) throws Exception {
        return context.getClass().getMethod("getBean", String.class).invoke(context, name);
    }

    static String property(Object context, String name) throws Exception {
        Object environment = context.getClass().getMethod("getEnvironment").invoke(context);
        return (String)
                environment.getClass().getMethod("getProperty", String.class).invoke(environment, name);
    }

    @Override
    public void close() throws IOException {
        Thread.currentThread().setContextClassLoader(before);
        loader.close();
    }

    /** Compiles an application of that name. */
    static void compile(String name, Path classes) throws IOException {
        compileAll(Path.of("..", "examples", "spring", "demo", name + ".java"), classes);
    }

    /**
     * Compiles a source, or all that are below a directory.
     *
     * @param others classes that they refer to, beside those of the class path
     */
    static void compileAll(Path source, Path classes, Path... others) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        List<File> sources;
        try (Stream<Path> all = Files.walk(source)) {
            sources = all.filter(path -> path.toString().endsWith(".java"))
                    .map(Path::toFile)
                    .toList();
        }
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-parameters",
                    "-proc:none",
                    "-d",
                    classes.toString(),
                    "-cp",
                    Stream.concat(
                                    Stream.of(others).map(Path::toString),
                                    Stream.of(System.getProperty("java.class.path")))
                            .collect(Collectors.joining(File.pathSeparator)));
            boolean compiled = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromFiles(sources))
                    .call();
            assertThat(compiled).as(messages.toString()).isTrue();
        }
    }
}
