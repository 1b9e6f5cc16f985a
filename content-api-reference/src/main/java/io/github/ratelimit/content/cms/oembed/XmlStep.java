package io.github.ratelimit.content.cms.oembed;

import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestBody;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import io.github.ratelimit.content.cms.rest.RestStep;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Writes what {@code oembed/1.0/embed} answers as XML where that is asked for: descriptions and errors alike, with the
 * members that are selected and in the envelope that is asked for.
 *
 * <p>The first step, as the form of an answer is the last thing that happens to it. Safe for concurrent use.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class XmlStep implements RestStep {
    private static final String ROUTE = "/oembed/1.0/embed";
    private static final String XML = "text/xml; charset=UTF-8";

    @Override
    public RestAnswer answer(Passing passing, Next next) {
        RestAnswer answer = next.answer();
        return isXml(passing)
                ? answer.withBody(
                        RestBody.text(XmlDescription.write(answer.body().tree()), XML))
                : answer;
    }

    /** The word is read as it was sent: where arguments are wrong, none of them has a value. */
    private static boolean isXml(Passing passing) {
        RestRequest request = passing.prepared().request();
        return request.method() == RestMethod.GET
                && !passing.http().getMethod().equals("HEAD")
                && passing.prepared().path().equals(ROUTE)
                && request.raw("format")
                        .filter(format ->
                                format.isString() && format.stringValue().equals("xml"))
                        .isPresent();
    }
}
