package io.github.ratelimit.content.cms.term;

import io.github.ratelimit.content.cms.rest.Context;
import io.github.ratelimit.content.cms.rest.RestAddress;
import io.github.ratelimit.content.cms.rest.RestRequest;
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
        return show(request, term, context, counts(List.of(term), context));
    }

    /** Shows terms of one taxonomy. */
    ArrayNode show(RestRequest request, List<Term> terms, Context context) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        Map<Long, Long> counts = counts(terms, context);
        terms.forEach(term -> list.add(show(request, term, context, counts)));
        return list;
    }

    /** Embedded terms show no count. */
    private Map<Long, Long> counts(List<Term> terms, Context context) {
        if (context == Context.EMBED || terms.isEmpty()) {
            return Map.of();
        }
        List<Long> ids = terms.stream().map(Term::id).toList();
        return store.counts(ids);
    }

    private ObjectNode show(RestRequest request, Term term, Context context, Map<Long, Long> counts) {
        String base = request.baseUrl();
        ObjectNode node = TermFields.of(term.taxonomy())
                .show(request, new TermFields.Shown(term, counts.getOrDefault(term.id(), 0L), base), context);
        return node.set("_links", links(base, term));
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
