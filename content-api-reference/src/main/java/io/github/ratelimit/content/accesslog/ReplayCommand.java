package io.github.ratelimit.content.accesslog;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** The command line: {@code java -jar content-api-reference.jar replay access.log limits.yml [picture.svg]}. */
public final class ReplayCommand {

    /** The first argument that means it. */
    public static final String NAME = "replay";

    private static final String USAGE =
            "usage: java -jar content-api-reference.jar replay ACCESS_LOG LIMITS_YML [PICTURE_SVG]";

    private ReplayCommand() {}

    /**
     * Runs it, and returns when the report is written.
     *
     * @param arguments those behind {@link #NAME}
     * @param out takes the report
     * @param err takes what is wrong
     * @return the process' status: 0, or 2 where a file or an argument is wrong
     */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        if (arguments.size() < 2 || arguments.size() > 3) {
            err.println(USAGE);
            return 2;
        }
        try (AccessLogReplay replay = new AccessLogReplay(Path.of(arguments.get(1)));
                LogLines log = LogLines.of(Path.of(arguments.get(0)))) {
            String line = log.next();
            while (line != null) {
                String following = log.next();
                replay.next(line, following);
                line = following;
            }
            if (!replay.report().hasRequests()) {
                err.print(replay.report().text());
                return 2;
            }
            out.print(replay.report().text());
            if (arguments.size() > 2) {
                Files.writeString(Path.of(arguments.get(2)), replay.report().svg());
            }
            return 0;
        } catch (NoSuchFileException e) {
            err.println("no such file: " + e.getMessage());
        } catch (IOException e) {
            err.println("cannot read or write: " + e.getMessage()); // the log, its end that is missing, or the picture
        } catch (RuntimeException e) {
            err.println(cause(e).getMessage());
        }
        return 2;
    }

    /** A mistake in a property is what began it all. */
    private static Throwable cause(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
