package io.github.ratelimit.content.term;

import io.github.ratelimit.content.web.Context;
import io.github.ratelimit.content.web.RestAddress;
import io.github.ratelimit.content.web.RestRequest;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What an answer shows of a term. */
@Component
class TermView {
    private final TermStore store;

    TermView(TermStore store) {
        this.store = store;
    }

    ObjectNode show(RestRequest request, Term term, Context context) {
        return show(request, term, context, store.counts(List.of(term.id())));
    }

    ArrayNode show(RestRequest request, List<Term> terms, Context context) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        Map<Long, Long> counts = store.counts(terms.stream().map(Term::id).toList());
        terms.forEach(term -> list.add(show(request, term, context, counts)));
        return list;
    }

    private static ObjectNode show(RestRequest request, Term term, Context context, Map<Long, Long> counts) {
        String base = request.baseUrl();
        Taxonomy taxonomy = term.taxonomy();
        boolean isWhole = context != Context.EMBED;
        ObjectNode node = JsonNodeFactory.instance.objectNode().put("id", term.id());
        if (isWhole) {
            node.put("count", counts.getOrDefault(term.id(), 0L));
            node.put("description", term.description());
        }
        node.put("link", base + (taxonomy == Taxonomy.TAG ? "/?tag=" + term.slug() : "/?cat=" + term.id()));
        node.put("name", term.name());
        node.put("slug", term.slug());
        node.put("taxonomy", taxonomy.wireName());
        if (isWhole) {
            if (taxonomy.isHierarchical()) {
                node.put("parent", term.parent());
            }
            node.putArray("meta");
        }
        node.set("_links", links(base, term));
        return node;
    }

    private static ObjectNode links(String base, Term term) {
        Taxonomy taxonomy = term.taxonomy();
        ObjectNode links = JsonNodeFactory.instance.objectNode();
        link(links, "self", RestAddress.of(base, taxonomy.route() + "/" + term.id()));
        link(links, "collection", RestAddress.of(base, taxonomy.route()));
        link(links, "about", RestAddress.of(base, "/cms/v2/taxonomies/" + taxonomy.wireName()));
        if (term.parent() > 0) {
            link(links, "up", RestAddress.of(base, taxonomy.route() + "/" + term.parent()))
                    .put("embeddable", true);
        }
        link(links, "wp:post_type", RestAddress.with(base, "/cms/v2/posts", taxonomy.collection(), term.id()));
        ObjectNode curie = links.putArray("curies").addObject().put("name", "wp");
        curie.put("href", "https://api.w.org/{rel}");
        curie.put("templated", true);
        return links;
    }

    private static ObjectNode link(ObjectNode links, String relation, String href) {
        return links.putArray(relation).addObject().put("href", href);
    }
}
