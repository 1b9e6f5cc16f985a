package io.github.ratelimit.http;

import java.util.Locale;

/** Reads the field {@code Accept} as far as bodies of refusals ask. Rule: RFC 9110 §12.5.1. */
final class Accept {

    private Accept() {}

    /** Whether a problem is asked for by its name, with at least the weight of plain JSON. */
    static boolean prefersProblem(HttpCall call) {
        double problem = 0;
        double json = 0;
        for (String line : call.headers("Accept")) {
            for (String element : line.split(",", -1)) {
                String[] parts = element.split(";", -1);
                switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
                    case "application/problem+json" -> problem = Math.max(problem, weight(parts));
                    case "application/json" -> json = Math.max(json, weight(parts));
                    default -> {
                        // nothing that is told apart here
                    }
                }
            }
        }
        return problem > 0 && problem >= json;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.startsWith("q=") || parameter.startsWith("Q=")) {
                String value = parameter.substring(2);
                return value.matches("[01](\\.[0-9]{0,3})?") ? Double.parseDouble(value) : 0; // malformed: not wanted
            }
        }
        return 1;
    }
}
