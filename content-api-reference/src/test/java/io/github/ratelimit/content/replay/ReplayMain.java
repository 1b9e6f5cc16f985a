package io.github.ratelimit.content.replay;

import io.github.ratelimit.content.harness.Accounts;
import io.github.ratelimit.content.harness.Json;
import io.github.ratelimit.content.harness.SiteClient;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Replays recordings against a running server, by hand; how, and the form of its files, is in {@code docs/replay.md} of this module.
 *
 * <p>Ends with status 0 if everything passed, 1 if something failed, 2 if it was called wrongly.
 */
public final class ReplayMain {

    private static final String USAGE =
            "usage: ReplayMain --base ADDRESS --accounts FILE [--recordings DIRECTORY] [--topics NAME,NAME]";

    private ReplayMain() {}

    /** Replays and ends the process. */
    public static void main(String[] args) {
        System.exit(run(List.of(args), System.out));
    }

    private static int run(List<String> args, PrintStream out) {
        Map<String, String> options = new LinkedHashMap<>();
        for (int i = 0; i + 1 < args.size(); i += 2) {
            options.put(args.get(i), args.get(i + 1));
        }
        String base = options.get("--base");
        String accountsFile = options.get("--accounts");
        if (args.size() % 2 != 0 || base == null || accountsFile == null) {
            out.println(USAGE);
            return 2;
        }
        String directory = options.get("--recordings");
        Recordings recordings = directory == null ? Recordings.ofTheProject() : Recordings.in(Path.of(directory));
        String chosen = options.get("--topics");
        List<String> topics = chosen == null ? recordings.topics() : Arrays.asList(chosen.split(","));

        Accounts accounts = Accounts.read(Json.read(Path.of(accountsFile)));
        Replayer replayer = Replayer.load(new SiteClient(base), accounts, recordings);
        replayer.content().problems().forEach(problem -> out.println("content: " + problem));
        long passed = 0;
        long failed = 0;
        for (String topic : topics) {
            Replayer.TopicResult result = replayer.play(topic);
            out.println(result.report());
            passed += result.count(Replayer.Outcome.PASSED);
            failed += result.count(Replayer.Outcome.FAILED);
        }
        out.println("all: " + passed + " passed, " + failed + " failed");
        return failed == 0 ? 0 : 1;
    }
}
