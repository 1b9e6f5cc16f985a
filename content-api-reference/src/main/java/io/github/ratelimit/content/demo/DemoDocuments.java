package io.github.ratelimit.content.demo;

import io.github.ratelimit.content.widget.sync.DocumentDraft;
import java.util.List;

/** What the widget's assistant of the demonstration site knows. */
final class DemoDocuments {

    private DemoDocuments() {}

    static List<DocumentDraft> drafts() {
        return List.of(
                new DocumentDraft("opening-hours", "Opening hours", """
                        <p>The shop is open Monday to Friday from 9 to 18, and on Saturday from 10 to 14.</p>
                        <p>It is closed on Sunday and on public holidays.</p>""", null),
                new DocumentDraft("delivery", "Delivery", """
                        <p>Parcels leave the day after the order and arrive within three days.</p>
                        <p>Delivery is free from 50 euros; below that it costs 4.90.</p>""", null),
                new DocumentDraft("returns", "Returns and refunds", """
                        <p>Goods can be returned within 30 days, unused and in their box.</p>
                        <p>A refund is paid within nine days to the account that paid.</p>""", null));
    }
}
