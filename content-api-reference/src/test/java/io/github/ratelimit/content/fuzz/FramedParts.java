package io.github.ratelimit.content.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.SiteClient;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Bodies of parts whose framing is wrong, doubled, nested or broken off: refused or read, for memory in proportion to their length. */
final class FramedParts {
    private static final int SHORT = 4_000;
    private static final int TIMES = 4;
    /** Between four, which is linear, and sixteen, which is quadratic. */
    private static final int MOST = 9;

    private static final long NOTICED_BYTES = 4_000_000;

    private static final String NAMED = "Content-Disposition: form-data; name=";

    private static final List<String> PIECES = List.of(
            "--x\r\n\r\n\r\n",
            "--x\r\n" + NAMED + "a\r\n\r\n1\r\n",
            "--x\r\n" + NAMED + "\"a\"; filename=\"\"\r\n\r\n\r\n",
            "--x\r\n" + NAMED + "\"a\"; filename*=UTF-8''%\r\n\r\n",
            "--x\r\n" + NAMED + "\"\\\";;\"\r\n",
            "--x\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\n",
            "--y--\r\n",
            "--x--\r\n",
            "--x\r\n",
            "--x",
            "--xx\r\n",
            "\r\n--",
            "A: b\r\n",
            " folded\r\n",
            ": \r\n",
            "\r\n",
            "\n",
            "\u0000",
            "a");

    private final SiteClient site;
    private final Account account;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    FramedParts(SiteClient site, Account account) {
        this.site = site;
        this.account = account;
    }

    /** Sends each piece again and again, and as many mixtures of them. */
    void assertLinear(Dice dice, int mixtures) {
        PIECES.forEach(this::assertLinear);
        for (int i = 0; i < mixtures; i++) {
            List<String> pieces = new ArrayList<>();
            for (int count = 2 + dice.below(5); count > 0; count--) {
                pieces.add(dice.oneOf(PIECES));
            }
            assertLinear(String.join("", pieces));
        }
    }

    private void assertLinear(String piece) {
        long some = allocated(piece, SHORT);
        long more = allocated(piece, SHORT * TIMES);
        if (isTooMuch(some, more)) {
            // What the server does for the first time takes more.
            some = allocated(piece, SHORT);
            more = Math.min(more, allocated(piece, SHORT * TIMES));
        }
        assertThat(isTooMuch(some, more))
                .as("'%s' again and again: %d bytes; four times as long: %d bytes", piece, some, more)
                .isFalse();
    }

    private static boolean isTooMuch(long some, long more) {
        return more > NOTICED_BYTES && more > MOST * some;
    }

    private long allocated(String piece, int length) {
        long before = allocated();
        int status = site.call("POST", "/cms/v2/posts")
                .as(account)
                .header("Content-Type", "multipart/form-data; boundary=x")
                .body(("--x\r\n" + NAMED + "status\r\n\r\nx\r\n" + piece.repeat(length / piece.length()))
                        .getBytes(StandardCharsets.UTF_8))
                .send()
                .status();
        assertThat(status).as(piece).isBetween(200, 499);
        return allocated() - before;
    }

    /** Bytes that the server's workers took so far. */
    private long allocated() {
        long bytes = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && thread.getThreadName().contains("-exec-")) {
                bytes += Math.max(0, threads.getThreadAllocatedBytes(thread.getThreadId()));
            }
        }
        return bytes;
    }
}
