package io.github.ratelimit.content.cms.cache;

import io.github.ratelimit.content.shared.container.Causes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Fetches again what visitors ask for most and the cache no longer holds, so that the next visitor need not wait.
 *
 * <p>There is one crawler for pages and one for answers; each is switched on and off by an administrator, and stays so over
 * a restart. They ask this server itself, over the loopback address, as a visitor would. Safe for concurrent use.
 */
@Component
class Crawler implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Crawler.class);

    /** The crawlers by their ids. */
    private static final List<String> KINDS = List.of("page", "answer");

    /** Chosen: a round is over before the next begins. */
    private static final int MOST_A_ROUND = 50;

    private static final int SECONDS_BETWEEN = 20;

    private final PageCache cache;
    private final VisitedAddresses visited;
    private final CacheStore settings;
    private final Environment environment;
    private @Nullable ScheduledExecutorService executor;
    private @Nullable ScheduledFuture<?> rounds;

    Crawler(PageCache cache, VisitedAddresses visited, CacheStore settings, Environment environment) {
        this.cache = cache;
        this.visited = visited;
        this.settings = settings;
        this.environment = environment;
    }

    /** Tells whether there is a crawler of that id. */
    boolean exists(long id) {
        return id >= 0 && id < KINDS.size();
    }

    /** Tells whether a crawler is on. */
    boolean isActive(long id) {
        return settings.find(setting(id)).filter("1"::equals).isPresent();
    }

    /** Switches a crawler on if it is off, and off if it is on; tells whether it is on now. */
    boolean toggle(long id) {
        boolean active = !isActive(id);
        settings.put(setting(id), active ? "1" : "0");
        return active;
    }

    /** Fetches what is missing, for the crawlers that are on; tells how much was fetched. */
    int crawl() {
        int fetched = 0;
        try (CloseableHttpClient http = HttpClients.custom()
                .disableCookieManagement()
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .setUserAgent("ContentApiReference/1 (+crawler)")
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(Timeout.ofSeconds(5))
                        .build())
                .build()) {
            for (int id = 0; id < KINDS.size(); id++) {
                if (isActive(id)) {
                    fetched += crawl(http, KINDS.get(id));
                }
            }
        } catch (IOException e) {
            log.debug("a crawler's client was not closed", e);
        }
        return fetched;
    }

    private int crawl(CloseableHttpClient http, String kind) {
        int fetched = 0;
        for (VisitedAddresses.Visited address : visited.mostVisited(kind, MOST_A_ROUND)) {
            if (cache.peek(address.key()).isEmpty() && fetch(http, address)) {
                fetched++;
            }
        }
        return fetched;
    }

    /** The host is a visitor's text: it goes into the field and never decides where the connection leads. */
    private boolean fetch(CloseableHttpClient http, VisitedAddresses.Visited address) {
        String port = environment.getProperty("local.server.port");
        if (port == null) {
            return false;
        }
        try {
            HttpGet request =
                    new HttpGet("http://127.0.0.1:" + port + address.key().target());
            request.setHeader("Host", address.host());
            int status = http.execute(request, response -> {
                EntityUtils.consume(response.getEntity());
                return response.getCode();
            });
            return status == 200;
        } catch (IOException | IllegalArgumentException e) {
            log.debug("a crawler could not fetch a page", e);
            return false;
        }
    }

    @Override
    public synchronized void start() {
        executor = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "crawler");
            thread.setDaemon(true);
            return thread;
        });
        rounds =
                executor.scheduleWithFixedDelay(this::crawlQuietly, SECONDS_BETWEEN, SECONDS_BETWEEN, TimeUnit.SECONDS);
    }

    @Override
    public synchronized void stop() {
        if (rounds != null) {
            rounds.cancel(true);
            rounds = null;
        }
        if (executor != null) {
            executor.shutdownNow();
            executor = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return executor != null;
    }

    /** A round that fails must not be the last one. For a lack of memory the executor would end them all and tell nobody, so the process is told here. */
    void crawlQuietly() {
        try {
            try {
                crawl();
            } catch (RuntimeException e) {
                Causes.requireMemory(e);
                log.warn("a crawler's round failed", e);
            }
        } catch (OutOfMemoryError lacking) {
            Thread crawler = Thread.currentThread();
            crawler.getUncaughtExceptionHandler().uncaughtException(crawler, lacking);
            throw lacking;
        }
    }

    private static String setting(long id) {
        return "crawler-" + id;
    }
}
