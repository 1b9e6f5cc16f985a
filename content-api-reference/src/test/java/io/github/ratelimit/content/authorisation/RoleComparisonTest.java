package io.github.ratelimit.content.authorisation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.cms.cache.PageCache;
import io.github.ratelimit.content.harness.Account;
import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.OnDatabase;
import io.github.ratelimit.content.harness.Query;
import io.github.ratelimit.content.harness.SiteClient;
import io.github.ratelimit.content.harness.Statements;
import io.github.ratelimit.content.harness.WatchedLog;
import io.github.ratelimit.content.replay.SeededServer;
import java.time.Year;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * What a caller may not read shows in nothing that it is answered: two sites that differ in this alone answer alike, byte for
 * byte, header fields included. It shows in no time either: the same statements are run, and as many rows are read. And reading leaves
 * nothing in the log.
 *
 * <p>The requests follow from a seed: {@code -Dcomparisons.seed=7} repeats those of a failure. {@code -Dfull=true} makes more
 * than ten thousand comparisons.
 */
@OnDatabase(Database.H2)
@ExtendWith(SeededServer.Provider.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RoleComparisonTest {
    private static final int REQUESTS = Integer.getInteger("comparisons", Boolean.getBoolean("full") ? 2_500 : 25);
    /** Items that writes name. */
    private static final int REFUSED = Boolean.getBoolean("full") ? 9 : 1;

    /** What is demanded of the long form; the short one makes all that is fixed, and some by chance. */
    private static final int FEWEST = Boolean.getBoolean("full") ? 10_000 : 5 * REQUESTS;

    private static final long SEED = Long.getLong("comparisons.seed", 20_261_122L);
    private static final int SHOWN = 5;
    private static final String WORK = "\nwhat it took:";

    /** What the moment and the connection decide. */
    private static final Set<String> NOT_TOLD = Set.of("date", "connection", "keep-alive");

    private final SeededServer server;
    private final Site site;
    private int compared;

    @SuppressWarnings("NullAway.Init")
    private HiddenContent hidden;

    @SuppressWarnings("NullAway.Init")
    private WatchedLog log;

    RoleComparisonTest(SeededServer server) {
        this.server = server;
        this.site = new Site(server.site());
    }

    @BeforeAll
    void hide() {
        hidden = HiddenContent.make(site, server.context().getBean(JdbcClient.class));
        // What the first request to a page starts is logged.
        site.client().callAddress("GET", server.site().base() + "/?p=1").send();
        log = WatchedLog.ofRequests();
    }

    @AfterAll
    void clear() {
        log.close();
        hidden.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"anonymous", "subscriber", "contributor", "author", "editor"})
    @Order(1)
    void whatOthersHideSaysNothing(String caller) {
        // Editors read every item: from them, accounts alone are hidden.
        Set<String> read = caller.equals("editor") ? Set.of("admin", "contributor") : Set.of(caller);
        ReadingRequests requests = requests(caller);
        List<ReadingRequests.Reading> readings = requests.next(REQUESTS);
        int reading = readings.size();
        if (!caller.equals("editor")) {
            // Who is refused learns no more than who reads.
            readings.addAll(requests.refusedWrites(hidden.idsOf("admin").subList(0, REFUSED)));
        }

        List<String> one = ask(requests, readings, caller);
        hidden.say(Wording.OTHER, read);
        List<String> other = ask(requests, readings, caller);
        hidden.say(Wording.ONE, read);

        assertThat(differences(readings, one, other)).as(caller).isEmpty();
        assertThat(one.stream().filter(answer -> answer.startsWith("200")).count())
                .as("requests that were answered by something")
                .isGreaterThan(REQUESTS / 2);
        assertThat(one.subList(reading, one.size()))
                .as("what such a caller could write")
                .noneMatch(
                        answer -> answer.startsWith("200") || answer.startsWith("201") || answer.contains("\"id\":"));
    }

    @Test
    @Order(1)
    void whatSomebodyWritesSaysNothingOfPicturesThatTheyMayNotRead() {
        List<String> one = writeAboutPictures();
        hidden.say(Wording.OTHER, Set.of("contributor"));
        List<String> other = writeAboutPictures();
        hidden.say(Wording.ONE, Set.of("contributor"));

        assertThat(other).isEqualTo(one);
    }

    /** Whether something hidden is a picture is told as little as whether it is there. */
    @Test
    @Order(1)
    void whatIsHiddenStandsForNoItem() {
        Account writer = Accounts.standard().get("contributor");
        long draft = Site.id(site.succeed(site.client()
                .call("POST", "/cms/v2/posts")
                .as(writer)
                .json(Site.fields().put("title", "Own"))));
        List<Long> wishes = hidden.idsOf("admin");
        wishes.add(999_999L);

        for (long wish : wishes) {
            Answer answer = site.client()
                    .call("POST", "/cms/v2/posts/" + draft)
                    .as(writer)
                    .json(Site.fields().put("featured_media", wish))
                    .send();
            assertThat(answer.json().path("featured_media").longValue())
                    .as(wish + " " + answer.text())
                    .isZero();
        }
        site.deleteForGood("/cms/v2/posts/" + draft);
    }

    private List<String> writeAboutPictures() {
        StringBuilder content = new StringBuilder();
        for (String name : hidden.fileNames()) {
            for (long picture : hidden.idsOf("admin")) {
                String tag =
                        "<img class=\"wp-image-" + picture + "\" src=\"https://example.org/2026/11/" + name + "\">";
                content.append(tag).append('\n');
            }
        }
        Answer draft = site.succeed(site.client()
                .call("POST", "/cms/v2/posts")
                .as(Accounts.standard().get("contributor"))
                .json(Site.fields().put("title", "Own").put("content", content.toString())));
        Answer saved = site.succeed(site.client()
                .call("POST", "/cms/v2/posts/" + Site.id(draft) + "/autosaves")
                .as(Accounts.standard().get("contributor"))
                .json(Site.fields().put("content", content + "again")));
        site.deleteForGood("/cms/v2/posts/" + Site.id(draft));
        return List.of(
                draft.json().path("content").path("rendered").asString(),
                saved.json().path("content").path("rendered").asString());
    }

    /** An item's own address tells whether it is there, and a total how many have a status, as recorded; nothing else does. */
    @Test
    @Order(2)
    void nothingElseTellsThatSomethingIsHidden() {
        List<String> callers = List.of("anonymous", "subscriber", "author");
        ReadingRequests requests = requests("all");
        List<ReadingRequests.Reading> readings = requests.next(REQUESTS).stream()
                .filter(reading -> !reading.address().contains("status") && !reading.namesHidden())
                .toList();

        List<List<String>> there =
                callers.stream().map(caller -> ask(requests, readings, caller)).toList();
        hidden.forget();

        for (int i = 0; i < callers.size(); i++) {
            List<String> gone = ask(requests, readings, callers.get(i));
            assertThat(differences(readings, withoutWork(there.get(i)), withoutWork(gone)))
                    .as(callers.get(i))
                    .isEmpty();
        }
    }

    @Test
    @Order(3)
    void thatIsComparedOftenEnough() {
        System.out.println("answers that were compared: " + compared);
        assertThat(compared).isGreaterThanOrEqualTo(FEWEST);
    }

    /** Where an id is named, a row more is read before the rule says no. */
    private static List<String> withoutWork(List<String> answers) {
        return answers.stream()
                .map(answer -> answer.substring(0, answer.indexOf(WORK)))
                .toList();
    }

    private ReadingRequests requests(String caller) {
        List<Long> seen = new ArrayList<>(server.content().ids("posts"));
        seen.addAll(server.content().ids("pages"));
        seen.addAll(server.content().ids("media"));
        return new ReadingRequests(server.site(), hidden, seen, SEED + caller.hashCode());
    }

    /** What is answered, and what it takes: what is asked of the database, and how many rows come back. */
    private List<String> ask(ReadingRequests requests, List<ReadingRequests.Reading> readings, String caller) {
        List<String> answers = new ArrayList<>();
        // Whoever is asked second would find what was kept for the first: what is hidden purges nothing of it.
        server.context().getBean(PageCache.class).clear();
        // What follows writes reads that something was written, whoever asks first; not what.
        site.client().call("GET", "/cms/v2/posts", Query.of("search", "follow")).send();
        for (ReadingRequests.Reading reading : readings) {
            SiteClient.Call call = requests.call(reading);
            if (!caller.equals("anonymous")) {
                call.as(Accounts.standard().get(caller));
            }
            StringBuilder told = new StringBuilder();
            List<Statements.Ran> ran = server.statements()
                    .during(() -> told.append(told(call.send())).append(WORK));
            ran.forEach(one -> told.append('\n').append(one.work()));
            // Who may read an item and asks for a wording of another one has the former read, and who asks for a page
            // behind the last one has what lies there read, if that may be; editors read all.
            boolean isOwn = caller.equals("editor")
                    || (told.indexOf("404") == 0 && reading.address().matches(".*(revisions|autosaves).*"))
                    || (told.indexOf("400") == 0 && !reading.namesHidden());
            if ((told.charAt(0) == '4' || told.indexOf("207") == 0) && !isOwn) {
                // How long a text is shows in the time that it takes to read it. The right is asked first.
                assertThat(ran)
                        .as(reading + " is refused, and reads no text before")
                        .noneMatch(one -> one.sql().contains("content_rendered")
                                && !one.work().endsWith("-> 0 rows"));
            }
            answers.add(told.toString());
        }
        // Limiters tell by themselves that all of this comes from one address.
        assertThat(log.lines())
                .as("what reading left in the log")
                .filteredOn(line -> !line.contains("RL-0"))
                .isEmpty();
        return answers;
    }

    /** All that an answer tells, but what the clock says. */
    private static String told(Answer answer) {
        var fields = new TreeMap<>(answer.headers().map());
        fields.keySet().removeIf(name -> NOT_TOLD.contains(name.toLowerCase(Locale.ROOT)));
        String thisYear = Year.now(ZoneOffset.UTC) + "-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d";
        return answer.status() + "\n" + fields + "\n" + answer.text().replaceAll(thisYear, "now");
    }

    private List<String> differences(List<ReadingRequests.Reading> readings, List<String> one, List<String> other) {
        compared += readings.size();
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < readings.size(); i++) {
            String first = one.get(i);
            String second = other.get(i);
            if (!first.equals(second) && differences.size() < SHOWN) {
                int at = 0;
                while (at < Math.min(first.length(), second.length()) && first.charAt(at) == second.charAt(at)) {
                    at++;
                }
                differences.add(readings.get(i).method() + " " + readings.get(i).address() + " "
                        + readings.get(i).body() + "\n  one   …" + around(first, at) + "\n  other …"
                        + around(second, at));
            }
        }
        return differences;
    }

    private static String around(String text, int at) {
        return text.substring(Math.max(0, at - 120), Math.min(text.length(), at + 120));
    }
}
