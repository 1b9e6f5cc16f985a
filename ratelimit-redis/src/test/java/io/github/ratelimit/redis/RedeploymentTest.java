package io.github.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.Charge;
import io.github.ratelimit.Key;
import io.github.ratelimit.Limit;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** An application that is deployed again and again, each time with a class loader of its own, as servlet containers do. */
class RedeploymentTest {

    private static final int DEPLOYMENTS = Boolean.getBoolean("full") ? 50 : 2;

    @Test
    void closedStoreLeavesNoThreadsOrClassLoaders() throws Exception {
        try (RedisProcess redis = RedisProcess.start()) {
            List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
            loaders.add(deployAndUndeploy(redis.uri()));
            int threads = Thread.activeCount(); // those of the JDK's common pool as well
            for (int i = 1; i < DEPLOYMENTS; i++) {
                loaders.add(deployAndUndeploy(redis.uri()));
            }
            RedisProcess.await("all is gone", () -> {
                System.gc();
                return Thread.activeCount() <= threads && loaders.stream().allMatch(loader -> loader.refersTo(null));
            });
        }
    }

    /** On a thread of its own, as Tomcat renews its threads: what Netty keeps with a thread goes with the thread. */
    private static WeakReference<ClassLoader> deployAndUndeploy(String uri) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        try (loader) {
            List<Throwable> failures = new ArrayList<>();
            Thread thread = new Thread(() -> {
                try {
                    @SuppressWarnings("unchecked")
                    Consumer<String> application = (Consumer<String>) loader.loadClass(Application.class.getName())
                            .getConstructor()
                            .newInstance();
                    application.accept(uri);
                } catch (ReflectiveOperationException | RuntimeException | AssertionError e) {
                    failures.add(e);
                }
            });
            thread.setContextClassLoader(loader);
            thread.start();
            thread.join();
            assertThat(failures).isEmpty();
        }
        return new WeakReference<>(loader);
    }

    /** Asks for all that a store starts threads for. */
    public static final class Application implements Consumer<String> {

        @Override
        public void accept(String uri) {
            List<Charge> one = List.of(new Charge("redeployed", Limit.of(9, Duration.ofHours(1)), Key.of("ann")));
            try (RedisStore store =
                    RedisStore.builder().uri(uri).timeout(Duration.ofSeconds(9)).build()) {
                store.tryAcquireAsync(one)
                        .thenCompose(store::refundAsync)
                        .thenCompose(done -> store.resetAsync(one))
                        .join();
            }
        }
    }
}
