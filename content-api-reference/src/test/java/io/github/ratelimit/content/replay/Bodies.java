package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Bodies in the form in which they are recorded. */
final class Bodies {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private Bodies() {}

    /**
     * Returns the body of an answer: JSON as it is, nothing as null, XML as {@code {"xml": …}} and any other as
     * {@code {"text": …}}. What does not hold what its type promises counts as text.
     */
    static JsonNode of(Answer answer) {
        if (answer.bytes().length == 0) {
            return JSON.nullNode();
        }
        String type = answer.mediaType();
        try {
            // A script that wraps nothing is JSON, too.
            if (type.equals("application/json") || type.endsWith("+json") || type.equals("application/javascript")) {
                return answer.json();
            }
            if (type.equals("text/xml") || type.equals("application/xml")) {
                return JSON.objectNode().set("xml", xml(answer.bytes()));
            }
        } catch (JacksonException | SAXException | IOException e) {
            return text(answer);
        }
        return text(answer);
    }

    /** Says whether an answer promises JSON and holds none. */
    static boolean isBrokenJson(Answer answer) {
        if (!answer.mediaType().equals("application/json") || answer.bytes().length == 0) {
            return false;
        }
        try {
            Json.read(answer.bytes());
            return false;
        } catch (JacksonException e) {
            return true;
        }
    }

    private static JsonNode text(Answer answer) {
        return JSON.objectNode().put("text", answer.text());
    }

    private static JsonNode xml(byte[] document) throws SAXException, IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setExpandEntityReferences(false);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            Element root = builder.parse(new ByteArrayInputStream(document)).getDocumentElement();
            ObjectNode members = JSON.objectNode();
            for (Node node = root.getFirstChild(); node != null; node = node.getNextSibling()) {
                if (node instanceof Element element) {
                    members.put(element.getTagName(), content(element));
                }
            }
            return JSON.objectNode().set(root.getTagName(), members);
        } catch (ParserConfigurationException | TransformerException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The text of an element; of one with elements inside, these as they are written. */
    private static String content(Element element) throws TransformerException {
        if (element.getElementsByTagName("*").getLength() == 0) {
            return element.getTextContent();
        }
        TransformerFactory factory = TransformerFactory.newInstance();
        factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
        Transformer transformer = factory.newTransformer();
        transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        StringWriter inner = new StringWriter();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            transformer.transform(new DOMSource(node), new StreamResult(inner));
        }
        return inner.toString();
    }
}
