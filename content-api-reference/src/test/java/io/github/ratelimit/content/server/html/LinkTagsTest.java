package io.github.ratelimit.content.server.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkTagsTest {
    private static final int MEBIBYTE = 1 << 20;

    @Test
    void linksAreFoundAsBrowsersFindThem() {
        String page = "<!doctype html><html><head><LINK rel=a href='one>two'><!-- <link rel=b> --><link\nrel=\"c\" / >"
                + "<script>'<link rel=d>'</SCRIPT ><linked rel=e><link rel=f href=\"x\"></head><body><link rel=g";

        assertThat(LinkTags.of(page)).extracting(link -> link.attr("rel")).containsExactly("a", "c", "f");
        assertThat(LinkTags.of("<link href='one>two'>"))
                .singleElement()
                .extracting((Element link) -> link.attr("href"))
                .isEqualTo("one>two");
    }

    /** A tree of some of these takes a hundred times their length. */
    @ParameterizedTest
    @ValueSource(
            strings = {"<p><b>", "<link>", "<link ", "<link '", "<link \"\" href=x", "<!--", "<script>", "</", "<i><p>"
            })
    void aPageTakesNoMoreMemoryThanItsLength(String piece) {
        String page = piece.repeat(MEBIBYTE / piece.length());
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        LinkTags.of(page);

        long before = thread.getCurrentThreadAllocatedBytes();
        assertThat(LinkTags.of(page)).hasSizeLessThanOrEqualTo(1000);
        assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(10L * MEBIBYTE);
    }
}
