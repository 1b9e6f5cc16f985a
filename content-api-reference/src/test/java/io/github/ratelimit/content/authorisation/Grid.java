package io.github.ratelimit.content.authorisation;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A table of answers, as a person reads it: a block for each route, a line for each case, a column for each role. */
final class Grid {

    // Chosen: the longest name that there is fits.
    static final int WIDTH = 60;

    /** In place of an answer. */
    static final String NOT_ASKED = "-";

    private final List<String> columns;
    private final Map<String, List<String>> blocks = new LinkedHashMap<>();
    private int cells;

    Grid(List<String> columns) {
        this.columns = List.copyOf(columns);
    }

    /**
     * Adds a line.
     *
     * @param route the block it belongs to
     * @param name what is asked
     * @param cells the answers, one for each column; a code behind a blank goes to the end of the line
     */
    void add(String route, String name, List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(route + " " + name + ": " + cells.size() + " cells");
        }
        Set<String> codes = new LinkedHashSet<>();
        StringBuilder line = new StringBuilder(pad("  " + name, WIDTH));
        for (int i = 0; i < cells.size(); i++) {
            String[] parts = cells.get(i).split(" ", 2);
            line.append(pad(parts[0], columns.get(i).length() + 2));
            if (parts.length > 1) {
                codes.add(parts[1]);
            }
        }
        line.append(String.join(" ", codes));
        blocks.computeIfAbsent(route, key -> new ArrayList<>())
                .add(line.toString().stripTrailing());
        this.cells +=
                (int) cells.stream().filter(cell -> !cell.equals(NOT_ASKED)).count();
    }

    /** Returns how many cells there are. */
    int cells() {
        return cells;
    }

    @Override
    public String toString() {
        String head = pad("", WIDTH)
                + columns.stream()
                        .map(column -> pad(column, column.length() + 2))
                        .collect(Collectors.joining());
        StringBuilder text = new StringBuilder();
        blocks.forEach((route, lines) -> {
            text.append(pad(route, WIDTH).stripTrailing()).append('\n');
            text.append(head.stripTrailing()).append('\n');
            lines.forEach(line -> text.append(line).append('\n'));
            text.append('\n');
        });
        return text.toString();
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(1, width - text.length()));
    }
}
