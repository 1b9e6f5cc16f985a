package io.github.ratelimit.content.cms.oembed;

import io.github.ratelimit.content.cms.rest.RestAnswer;
import io.github.ratelimit.content.cms.rest.RestMethod;
import io.github.ratelimit.content.cms.rest.RestRequest;
import java.io.StringWriter;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import tools.jackson.databind.JsonNode;

/** Writes descriptions as XML. */
final class XmlDescription {

    private static final String ROOT = "oembed";
    private static final String XML = "text/xml; charset=UTF-8";

    private XmlDescription() {}

    /** Writes an answer as XML where that is asked for. The word is read as it was sent: where arguments are wrong, none of them has a value. */
    static RestAnswer written(RestRequest request, RestAnswer answer) {
        boolean isXml = request.method() == RestMethod.GET
                && request.raw("format")
                        .filter(format ->
                                format.isString() && format.stringValue().equals("xml"))
                        .isPresent();
        return isXml ? answer.withBody(RestAnswer.Body.text(write(answer.body().tree()), XML)) : answer;
    }

    /** Writes a tree below the root {@code oembed}; what is in a list has the root's name. */
    static String write(JsonNode tree) {
        var out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            writeElement(xml, ROOT, tree);
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return out.toString();
    }

    private static void writeElement(XMLStreamWriter xml, String name, JsonNode value) throws XMLStreamException {
        xml.writeStartElement(name);
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            writeElement(xml, member.getKey(), member.getValue());
        }
        if (value.isArray()) {
            for (JsonNode item : value) {
                writeElement(xml, ROOT, item);
            }
        }
        if (value.isValueNode()) {
            writeText(xml, writable(value.asString("")));
        }
        xml.writeEndElement();
    }

    /** A carriage return by its number: as it is, whoever reads it makes a line feed of it. Rule: XML 1.0 §2.11. */
    private static void writeText(XMLStreamWriter xml, String text) throws XMLStreamException {
        int from = 0;
        for (int at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', from)) {
            xml.writeCharacters(text.substring(from, at));
            xml.writeEntityRef("#13");
            from = at + 1;
        }
        xml.writeCharacters(text.substring(from));
    }

    /** XML has no way to write most control characters. */
    private static String writable(String text) {
        var kept = new StringBuilder(text.length());
        text.codePoints()
                .filter(c -> c == '\t'
                        || c == '\n'
                        || c == '\r'
                        || (c >= ' ' && c < 0xd800)
                        || (c > 0xdfff && c < 0xfffe)
                        || c > 0xffff)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }
}
