package io.github.ratelimit.content.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.ReferenceServer;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.openqa.selenium.By;
import org.openqa.selenium.chrome.ChromeDriver;

/** Draws the moving picture of the README from the real page: {@code -Dpictures=write}. */
@EnabledIfSystemProperty(named = "pictures", matches = "write")
class DemoPictureTest {

    private static final Path PICTURE = Path.of("..", "docs", "pictures", "demo.gif");
    private static final int WIDTH = 1000;
    private static final int HEIGHT = 700;
    private static final int FRAMES = 48;
    private static final int HUNDREDTHS = 25;

    @Test
    void demonstrationFromTheClickToTheLastRequest() throws Exception {
        Browsers.assumeInstalled();
        List<BufferedImage> frames = new ArrayList<>();
        try (ReferenceServer server = ReferenceServer.start(
                Database.H2, "--content-api.demo=true", "--ratelimit.limiters.widget-leads.window=7s")) {
            ChromeDriver browser = Browsers.start();
            try {
                browser.executeCdpCommand(
                        "Emulation.setDeviceMetricsOverride",
                        Map.of("width", WIDTH, "height", HEIGHT, "deviceScaleFactor", 1, "mobile", false));
                browser.get(server.base() + "/demo");
                browser.executeScript("for (const words of document.querySelectorAll('#try h1 + p, #budget-name')) {"
                        + " words.textContent = words.textContent.replace('minute', '7 seconds') }"); // as set above
                frames.add(picture(browser));
                browser.findElement(By.id("burst")).click();
                while (frames.size() < FRAMES) {
                    frames.add(picture(browser));
                    Thread.sleep(10 * HUNDREDTHS - 60); // about what a picture takes
                }
                assertThat(browser.findElement(By.id("told")).getText()).isEqualTo("All 40 requests passed");
            } finally {
                browser.quit();
            }
        }
        write(frames);
    }

    private static BufferedImage picture(ChromeDriver browser) throws IOException {
        Object card = browser.executeScript(
                "const { x, y, width, height } = document.getElementById('try').getBoundingClientRect();"
                        + "return { x, y, width, height: Math.max(height, 290), scale: 1 };");
        Object data = browser.executeCdpCommand("Page.captureScreenshot", Map.of("clip", card))
                .get("data");
        BufferedImage large =
                ImageIO.read(new ByteArrayInputStream(Base64.getDecoder().decode(String.valueOf(data))));
        BufferedImage small =
                new BufferedImage(large.getWidth() * 3 / 4, large.getHeight() * 3 / 4, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = small.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
        graphics.drawImage(large, 0, 0, small.getWidth(), small.getHeight(), null);
        graphics.dispose();
        for (int y = 0; y < small.getHeight(); y++) { // a few colours, as GIF has 256
            for (int x = 0; x < small.getWidth(); x++) {
                int high = small.getRGB(x, y) & 0xf0f0f0;
                small.setRGB(x, y, high | high >>> 4);
            }
        }
        return small;
    }

    private static void write(List<BufferedImage> frames) throws IOException {
        Files.deleteIfExists(PICTURE); // it would keep its length
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(PICTURE.toFile())) {
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            for (int at = 0, next; at < frames.size(); at = next) {
                BufferedImage frame = frames.get(at);
                for (next = at + 1; next < frames.size() && areEqual(frame, frames.get(next)); next++) {}
                writer.writeToSequence(new IIOImage(frame, null, shown(next - at, writer, frame)), null);
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    private static boolean areEqual(BufferedImage one, BufferedImage other) {
        return Arrays.equals(pixels(one), pixels(other));
    }

    private static int[] pixels(BufferedImage image) {
        return image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
    }

    /** How long the frame is shown, and that the picture begins again. */
    private static IIOMetadata shown(int times, ImageWriter writer, BufferedImage frame) throws IOException {
        IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(frame), null);
        IIOMetadataNode root = (IIOMetadataNode) metadata.getAsTree(metadata.getNativeMetadataFormatName());
        IIOMetadataNode control = (IIOMetadataNode)
                root.getElementsByTagName("GraphicControlExtension").item(0);
        control.setAttribute("delayTime", Integer.toString(times * HUNDREDTHS));
        control.setAttribute("disposalMethod", "none");
        IIOMetadataNode repeat = new IIOMetadataNode("ApplicationExtension");
        repeat.setAttribute("applicationID", "NETSCAPE");
        repeat.setAttribute("authenticationCode", "2.0");
        repeat.setUserObject(new byte[] {1, 0, 0});
        IIOMetadataNode extensions = new IIOMetadataNode("ApplicationExtensions");
        extensions.appendChild(repeat);
        root.appendChild(extensions);
        metadata.setFromTree(metadata.getNativeMetadataFormatName(), root);
        return metadata;
    }
}
