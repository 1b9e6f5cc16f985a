package io.github.ratelimit.content.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.time.Duration;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** Starts the browser that is installed. */
final class Browsers {

    private static final File BROWSER = new File("/usr/bin/chromium");
    private static final File DRIVER = new File("/usr/bin/chromedriver");

    private Browsers() {}

    /** Skips the test where no browser is installed, unless one has to be. */
    static void assumeInstalled() {
        boolean isRequired = "1".equals(System.getenv("REQUIRE_BROWSER"));
        assumeTrue(isRequired || (BROWSER.exists() && DRIVER.exists()), "no browser is installed");
    }

    /** Starts one that waits for what it is asked to find. */
    static ChromeDriver start() {
        ChromeDriver browser = new ChromeDriver(
                new ChromeDriverService.Builder().usingDriverExecutable(DRIVER).build(),
                new ChromeOptions()
                        .setBinary(BROWSER)
                        .addArguments(
                                "--headless=new",
                                "--window-size=1280,900",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage"));
        browser.manage().timeouts().implicitlyWait(Duration.ofSeconds(60));
        return browser;
    }
}
