package io.github.ratelimit.content.authorisation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.rest.PageCache;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.IndexDocument;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.harness.Statements;
import io.github.ratelimit.content.harness.WatchedLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The server grants what {@code authorisation.txt} says, and nothing else.
 *
 * <p>The usual build asks about each item of every route once, and by each method with each value of an argument once. Half of the roles ask,
 * in turn. For each question one role, in turn, looks for hidden items. {@code -Pfull} asks everything, and writes its table to
 * {@code target/authorisation.txt}. Where a change of rights is meant, that table takes the place of the other one, after a person read the
 * difference.
 */
final class AuthorisationTableTest {

    private static final boolean FULL = Boolean.getBoolean("full");

    private static final String UNNAMED = "GET(?: +(?:view|embed|edit))?";

    private static final String GOLDEN = "/authorisation.txt";

    /** Who may not read what the administrator hides. */
    private static final List<String> OTHERS = List.of("anonymous", "subscriber", "contributor", "author");

    /** Items that are hidden from most, and readings that may show them; the usual build compares one kind of both. */
    private static final String HIDDEN =
            FULL ? "(?:private|draft|pending|future) by admin .*|.*GET.*" : "private by admin .*|" + UNNAMED;

    private static final Pattern METHOD = Pattern.compile("(.*?)\\b(GET|POST|PUT|PATCH|DELETE)\\b(.*)");

    private static final Pattern MARKER = Pattern.compile("mark(?:posts|pages|media)[a-z]+");

    private final Map<String, Set<String>> readable = new LinkedHashMap<>();
    private final Map<String, Set<String>> seen = new LinkedHashMap<>();

    @Test
    void everyoneMayDoWhatTheTableSaysAndNothingElse() throws IOException {
        Grid grid;
        List<String> all;
        List<String> asked;
        // Thousands of writes, and no question about what a disk keeps or how long a statement takes to be read.
        try (ReferenceServer server = ReferenceServer.start(
                Database.H2,
                "--spring.datasource.url=jdbc:h2:mem:authorisation;DB_CLOSE_DELAY=-1;QUERY_CACHE_SIZE=1000",
                "--content-api.provision.users[5].login=" + Questions.STRANGER,
                "--content-api.provision.users[5].role=subscriber")) {
            SiteClient client = new SiteClient(server.base());
            Questions questions = Questions.about(IndexDocument.of(client), new Site(client));
            List<Question> usual = questions.usual();
            assertThat(parts(usual)).isEqualTo(parts(questions.all()));
            List<Question> asking = FULL ? questions.all() : usual;
            hiddenItemsSayNothing(server, questions, asking);
            grid = fill(asking);
            all = names(questions.all());
            asked = names(asking);
        }
        System.out.println("authorisation: " + grid.cells() + " cells");
        if (FULL) {
            Files.writeString(Path.of("target/authorisation.txt"), grid.toString());
        }

        assertThat(grid.cells()).isGreaterThanOrEqualTo(FULL ? 6_000 : 1_500);
        Map<String, Line> golden = lines(golden());
        assertThat(differences(List.copyOf(golden.keySet()), all)).isEmpty();
        golden.keySet().retainAll(Set.copyOf(asked));
        Map<String, Line> found = lines(grid.toString());
        golden.replaceAll((name, line) -> line.ofRolesIn(found.getOrDefault(name, line)));
        assertThat(differences(told(golden), told(found))).isEmpty();
        seen.forEach((caller, markers) -> assertThat(markers)
                .as("texts that were shown to " + caller + ", who may not read their items")
                .isSubsetOf(readable.getOrDefault(caller, Set.of())));
    }

    /**
     * Two sites that differ in hidden items alone answer alike, byte for byte, and run the same statements for as many rows. A rejection
     * reads no text: how long it is would show in the time. Reading leaves nothing in the log.
     */
    private static void hiddenItemsSayNothing(ReferenceServer server, Questions questions, List<Question> asking) {
        List<Question> asked = asking.stream()
                .filter(question -> !question.route().contains("<uuid>"))
                .filter(question -> question.name().matches(HIDDEN))
                .toList();
        // A revision that a path names is made when it is asked for.
        assertThat(asked)
                .allSatisfy(question ->
                        assertThat(OTHERS).extracting(question.call()).doesNotContainNull());
        List<String> one = told(server, asked);
        questions.hidden().forEach(Item::reword);
        assertThat(unlike(one, told(server, asked))).isEmpty();

        List<Question> unnamed = asked.stream()
                .filter(question -> question.name().matches(UNNAMED))
                .toList();
        List<String> there = told(server, unnamed);
        questions.hidden().forEach(Item::delete);
        assertThat(unlike(there, told(server, unnamed)))
                .as("without hidden items")
                .isEmpty();
        questions.renew();
    }

    private static List<String> unlike(List<String> one, List<String> other) {
        return IntStream.range(0, one.size())
                .filter(at -> !one.get(at).equals(other.get(at)))
                .mapToObj(at -> one.get(at) + "\nand then\n" + other.get(at))
                .limit(3)
                .toList();
    }

    private static List<String> told(ReferenceServer server, List<Question> asked) {
        List<String> answers = new ArrayList<>();
        // Whoever is asked second would find what was kept for the first.
        server.context().getBean(PageCache.class).clear();
        try (WatchedLog log = WatchedLog.ofRequests()) {
            for (int at = 0; at < asked.size(); at++) {
                Question question = asked.get(at);
                for (String caller : FULL ? OTHERS : List.of(OTHERS.get(at % OTHERS.size()))) {
                    String line = caller + " " + question.route() + " " + question.name();
                    StringBuilder told = new StringBuilder(line);
                    List<Statements.Ran> ran =
                            server.statements().during(() -> told.append(told(ask(question, caller))));
                    ran.forEach(statement -> told.append('\n').append(statement.work()));
                    if (question.name().contains("by admin")
                            && told.substring(line.length()).startsWith(" 4")) {
                        assertThat(ran)
                                .as(line + " is rejected, and reads no text before")
                                .noneMatch(statement -> statement.sql().contains("content_rendered")
                                        && !statement.work().endsWith("-> 0 rows"));
                    }
                    answers.add(told.toString());
                }
            }
            // Limiters tell by themselves that all of this comes from one address.
            assertThat(log.lines()).filteredOn(line -> !line.contains("RL-0")).isEmpty();
        }
        return answers;
    }

    /** All that an answer tells, but what the clock and the connection say. */
    private static String told(Answer answer) {
        Map<String, List<String>> fields = new TreeMap<>(answer.headers().map());
        fields.keySet().removeAll(Set.of("date", "connection", "keep-alive"));
        String thisYear = Year.now(ZoneOffset.UTC) + "-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d";
        return " " + answer.status() + "\n" + fields + "\n" + answer.text().replaceAll(thisYear, "now");
    }

    private Grid fill(List<Question> questions) {
        List<String> callers = new ArrayList<>(List.of("anonymous"));
        List<Account> roles = new ArrayList<>(Accounts.standard().all());
        Collections.reverse(roles);
        roles.forEach(account -> callers.add(account.name()));
        Grid grid = new Grid(callers);
        for (int number = 0; number < questions.size(); number++) {
            Question question = questions.get(number);
            List<String> cells = new ArrayList<>();
            for (String caller : callers) {
                boolean isTurn = (callers.indexOf(caller) + number) % 2 == 0;
                if (!FULL && !isTurn && !isView(question)) { // views tell who may see a text elsewhere
                    cells.add(Grid.NOT_ASKED);
                    continue;
                }
                Answer answer = ask(question, caller);
                note(question, caller, answer);
                cells.add(cell(answer));
                if (answer.status() == 200 || answer.status() == 201) {
                    question.granted().accept(answer);
                }
            }
            grid.add(question.route(), question.name(), cells);
        }
        return grid;
    }

    private static Answer ask(Question question, String caller) {
        SiteClient.Call call = question.call().apply(caller);
        if (!caller.equals("anonymous")) {
            call.as(caller);
        }
        return call.send();
    }

    /** An item's text is for those who get it from the item's own address; whoever sees it elsewhere has to be one of them. */
    private void note(Question question, String caller, Answer answer) {
        Map<String, Set<String>> notes = isView(question) && answer.status() == 200 ? readable : seen;
        Matcher markers = MARKER.matcher(answer.text());
        while (markers.find()) {
            notes.computeIfAbsent(caller, key -> new TreeSet<>()).add(markers.group());
        }
    }

    private static boolean isView(Question question) {
        return question.route().matches("/cms/v2/\\w+/<id>") && question.name().contains("GET  view");
    }

    /** The status; of a list how long it is; of an error its code. */
    private static String cell(Answer answer) {
        try {
            JsonNode body = answer.json();
            if (body.isArray()) {
                return answer.status() + "/" + body.size();
            }
            return answer.status() + (body.has("code") ? " " + body.path("code").asString() : "");
        } catch (JacksonException e) {
            return answer.status() + " no-json";
        }
    }

    private static String golden() throws IOException {
        return new ClassPathResource(GOLDEN).getContentAsString(StandardCharsets.UTF_8);
    }

    private static List<String> differences(List<String> wanted, List<String> found) {
        return Stream.concat(
                        wanted.stream().filter(line -> !found.contains(line)).map(line -> "expected " + line),
                        found.stream().filter(line -> !wanted.contains(line)).map(line -> "was      " + line))
                .toList();
    }

    private static List<String> names(List<Question> questions) {
        return questions.stream().map(Question::qualifiedName).toList();
    }

    /** Reading, writing and deletion of each item by each route, and each method with each value of its arguments. */
    private static Set<String> parts(List<Question> questions) {
        Set<String> parts = new TreeSet<>();
        for (Question question : questions) {
            Matcher name = METHOD.matcher(question.name());
            assertThat(name.matches()).as(question.name()).isTrue();
            parts.add(question.route() + " " + name.group(1) + name.group(2).replaceAll("P.*", "write"));
            parts.add(question.route() + " " + name.group(2) + name.group(3));
        }
        return parts;
    }

    /** The lines of a table by their routes and names. */
    private static Map<String, Line> lines(String table) {
        Map<String, Line> lines = new LinkedHashMap<>();
        String route = "";
        for (String line : table.lines().toList()) {
            if (line.startsWith("/")) {
                route = line;
            } else if (!line.isBlank()) {
                String name = line.substring(0, Grid.WIDTH).strip();
                if (!name.isEmpty()) {
                    lines.put(route + " " + name, Line.of(line.substring(Grid.WIDTH)));
                }
            }
        }
        return lines;
    }

    private static List<String> told(Map<String, Line> lines) {
        return lines.entrySet().stream()
                .map(line -> line.getKey() + " " + line.getValue())
                .toList();
    }

    /** Answers to one question. */
    private record Line(List<String> cells, Set<String> codes) {

        static Line of(String text) {
            List<String> words = List.of(text.strip().split(" +"));
            int roles = Accounts.standard().all().size() + 1; // anonymous
            return new Line(words.subList(0, roles), new TreeSet<>(words.subList(roles, words.size())));
        }

        /** This one, of the roles that were asked in the other one alone. A code may be another role's then. */
        Line ofRolesIn(Line asked) {
            List<String> some = IntStream.range(0, cells.size())
                    .mapToObj(i -> asked.cells.get(i).equals(Grid.NOT_ASKED) ? Grid.NOT_ASKED : cells.get(i))
                    .toList();
            return some.equals(cells) || !codes.containsAll(asked.codes)
                    ? new Line(some, codes)
                    : new Line(some, asked.codes);
        }
    }
}
