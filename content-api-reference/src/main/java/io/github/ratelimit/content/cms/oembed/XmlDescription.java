package io.github.ratelimit.content.cms.oembed;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Descriptions as XML. Written by a serializer, read without document types and entities. Stateless. */
final class XmlDescription {

    private static final String ROOT = "oembed";
    private static final int MOST_FIELDS = 100;

    private XmlDescription() {}

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

    /**
     * Reads a flat description.
     *
     * @return its fields as texts; empty if it is none, or declares a document type
     */
    static Optional<JsonNode> read(String text) {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        factory.setProperty(XMLInputFactory.IS_REPLACING_ENTITY_REFERENCES, false);
        factory.setProperty(XMLInputFactory.IS_COALESCING, true);
        try {
            XMLStreamReader xml = factory.createXMLStreamReader(new StringReader(text));
            ObjectNode fields = JsonNodeFactory.instance.objectNode();
            boolean isRoot = false;
            while (xml.hasNext()) {
                int event = xml.next();
                if (event == XMLStreamConstants.DTD || event == XMLStreamConstants.ENTITY_REFERENCE) {
                    return Optional.empty();
                }
                if (event != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                if (!isRoot) {
                    if (!xml.getLocalName().equals(ROOT)) {
                        return Optional.empty();
                    }
                    isRoot = true;
                } else if (fields.size() < MOST_FIELDS) {
                    // Fails where an element holds another one: a description is flat.
                    fields.put(xml.getLocalName(), xml.getElementText());
                } else {
                    return Optional.empty();
                }
            }
            return isRoot ? Optional.of(fields) : Optional.empty();
        } catch (XMLStreamException e) {
            return Optional.empty();
        }
    }
}
