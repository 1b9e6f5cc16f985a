package io.github.ratelimit.content.cms.text;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A block that an author leaves empty, as what it shows is known only when somebody reads it: the latest posts, for example.
 *
 * @param name without a namespace
 * @param attributes as its comment tells them
 */
public record ServedBlock(String name, ObjectNode attributes) {
    /** Chosen: more than any page shows; thousands of them fit into a text, and each of them is a list. */
    static final int MOST = 100;

    /** The characters that all of them show in a text at most. Chosen: as much as a hundred posts listed with their excerpts. */
    static final int LONGEST = 1 << 16;

    /** The characters of a block's comment. Chosen: what it says of itself may be shown with each entry of a list. */
    static final int LONGEST_COMMENT = 4_000;

    /** What a block takes of an answer's {@link Room} at least. Chosen: also one that shows nothing was looked up. */
    private static final int LEAST = 1 << 8;

    /**
     * Puts what blocks show where they stand. Within a tag or a comment there are none.
     *
     * @param rendered by {@link Rendering#content}
     * @param raw what it was rendered from
     * @param room of the answer; where there is none, blocks show nothing
     * @param filling what a block shows; nothing for an unknown one
     * @return what is shown
     */
    static String fill(String rendered, String raw, Room room, Function<ServedBlock, String> filling) {
        String source = Placeholders.removeFrom(raw);
        StringBuilder filled = new StringBuilder(rendered.length() + 1024);
        int count = 0;
        int left = LONGEST;
        int piece = 0;
        int pieceEnd = 0;
        int copied = 0;
        int mark = rendered.indexOf(Placeholders.SERVED);
        while (mark >= 0) {
            int end = rendered.indexOf(Placeholders.SERVED, mark + 1);
            if (end < 0) {
                break;
            }
            while (pieceEnd <= mark) {
                piece = pieceEnd;
                pieceEnd = Markup.pieceEnd(rendered, piece);
            }
            filled.append(rendered, copied, mark);
            if (left > 0 && room.has(1) && rendered.charAt(piece) != '<' && ++count <= MOST) {
                String shown = at(source, rendered.substring(mark + 1, end), room)
                        .map(filling)
                        .orElse("");
                if (shown.length() <= left && room.has(shown.length())) {
                    filled.append(shown);
                }
                // What does not fit ends it: nobody makes more of them only to leave them out.
                left -= shown.length();
                room.take(shown.length());
            }
            copied = end + 1;
            mark = rendered.indexOf(Placeholders.SERVED, copied);
        }
        return filled.append(rendered, copied, rendered.length()).toString();
    }

    private static Optional<ServedBlock> at(String source, String place, Room room) {
        int begin = place.matches("[0-9]{1,9}") ? Integer.parseInt(place) : source.length();
        int end = begin < source.length() ? source.indexOf("-->", begin) : -1;
        boolean isRead = end >= 0 && end - begin <= LONGEST_COMMENT;
        room.take(isRead ? Math.max(LEAST, end - begin) : LEAST);
        if (!isRead) {
            return Optional.empty();
        }
        Matcher comment = Blocks.DELIMITER.matcher(source).region(begin, end + "-->".length());
        return comment.matches() ? Optional.of(of(comment)) : Optional.empty();
    }

    private static ServedBlock of(Matcher comment) {
        String name = comment.group(2);
        String attributes = Optional.ofNullable(comment.group(3)).orElse("");
        return new ServedBlock(
                name.startsWith("core/") ? name.substring("core/".length()) : name, Blocks.attributes(attributes));
    }

    /**
     * Reads an attribute that is a text.
     *
     * @param attribute its name
     * @param otherwise what it is where nobody said so
     * @return the text; a number is one
     */
    public String text(String attribute, String otherwise) {
        return attributes.path(attribute).asString(otherwise);
    }

    /**
     * Reads an attribute that says yes or no.
     *
     * @param attribute its name
     * @param otherwise what it is where nobody said so
     * @return whether it is true
     */
    public boolean is(String attribute, boolean otherwise) {
        return attributes.path(attribute).asBoolean(otherwise);
    }

    /**
     * Reads an attribute that is a number.
     *
     * @param attribute its name
     * @param otherwise what it is where nobody said so
     * @return the number, whole
     */
    public int number(String attribute, int otherwise) {
        JsonNode value = attributes.path(attribute);
        String digits = value.isIntegralNumber() || value.isString() ? value.asString("") : "";
        return digits.matches("-?[0-9]{1,9}") ? Integer.parseInt(digits) : otherwise;
    }
}
