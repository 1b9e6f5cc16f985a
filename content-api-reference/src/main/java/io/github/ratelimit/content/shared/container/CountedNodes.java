package io.github.ratelimit.content.shared.container;

import java.math.BigDecimal;
import java.math.BigInteger;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.databind.node.ValueNode;

/**
 * Makes what a body of JSON or a form is read into, and counts it among the bytes that its request holds: a short body can spell many things, each of which
 * takes some thirty times the bytes that it came in. What a text has of characters was counted when it came. Safe for concurrent use.
 */
final class CountedNodes extends JsonNodeFactory {
    private static final long serialVersionUID = 1L;

    /** In bytes, of an object or a list: with its own table, its name, and its place in what it stands in. */
    static final int CONTAINER = 256;

    /** In bytes, of anything else, with the same. */
    static final int VALUE = 160;

    private final transient Transfers transfers;

    CountedNodes(Transfers transfers) {
        this.transfers = transfers;
    }

    @Override
    public ObjectNode objectNode() {
        transfers.hold(CONTAINER);
        return super.objectNode();
    }

    @Override
    public ArrayNode arrayNode() {
        transfers.hold(CONTAINER);
        return super.arrayNode();
    }

    @Override
    public ArrayNode arrayNode(int capacity) {
        transfers.hold(CONTAINER);
        return super.arrayNode(capacity);
    }

    @Override
    public StringNode stringNode(String text) {
        transfers.hold(VALUE);
        return super.stringNode(text);
    }

    @Override
    public NumericNode numberNode(int number) {
        transfers.hold(VALUE);
        return super.numberNode(number);
    }

    @Override
    public NumericNode numberNode(long number) {
        transfers.hold(VALUE);
        return super.numberNode(number);
    }

    @Override
    public NumericNode numberNode(double number) {
        transfers.hold(VALUE);
        return super.numberNode(number);
    }

    @Override
    public ValueNode numberNode(BigInteger number) {
        transfers.hold(VALUE);
        return super.numberNode(number);
    }

    @Override
    public ValueNode numberNode(BigDecimal number) {
        transfers.hold(VALUE);
        return super.numberNode(number);
    }

    @Override
    public BooleanNode booleanNode(boolean value) {
        transfers.hold(VALUE);
        return super.booleanNode(value);
    }

    @Override
    public NullNode nullNode() {
        transfers.hold(VALUE);
        return super.nullNode();
    }
}
