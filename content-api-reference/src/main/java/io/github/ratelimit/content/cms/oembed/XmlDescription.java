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

    /** Writes a tree of objects and single values below the root {@code oembed}. */
    static String write(ObjectNode tree) {
        var out = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement(ROOT);
            write(xml, tree);
            xml.writeEndElement();
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException(e);
        }
        return out.toString();
    }

    private static void write(XMLStreamWriter xml, ObjectNode tree) throws XMLStreamException {
        for (Map.Entry<String, JsonNode> field : tree.properties()) {
            xml.writeStartElement(field.getKey());
            if (field.getValue() instanceof ObjectNode below) {
                write(xml, below);
            } else {
                xml.writeCharacters(writable(field.getValue().asString("")));
            }
            xml.writeEndElement();
        }
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
