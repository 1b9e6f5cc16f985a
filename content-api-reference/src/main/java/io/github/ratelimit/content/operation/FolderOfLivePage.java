package io.github.ratelimit.content.operation;

import io.github.ratelimit.content.server.settings.InvalidSettingException;
import io.github.ratelimit.spring.live.LivePage;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/** Leads from the address that people know to the live page, which is below it. */
final class FolderOfLivePage extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final String folder;
    private final String page;

    private FolderOfLivePage(String folder, String page) {
        this.folder = folder;
        this.page = page;
    }

    /**
     * Serves the folder that the page is in.
     *
     * @throws InvalidSettingException if the page is at the top of the site
     */
    static void register(LivePage live, ServletContext context) {
        String path = live.path();
        int slash = path.lastIndexOf('/');
        if (slash == 0) {
            throw new InvalidSettingException(
                    "ratelimit.live.path",
                    "must be in a folder, was '" + path + "'",
                    "Use '" + path + "/live': a browser sends a sign-in to all that is in the folder of the page.");
        }
        String folder = path.substring(0, slash);
        context.addServlet("folderOfLivePage", new FolderOfLivePage(folder, path.substring(slash + 1)))
                .addMapping(folder, folder + "/");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(HttpServletResponse.SC_FOUND);
        // Relative, which holds below whatever a proxy puts before it.
        boolean isBelow = request.getServletPath().endsWith("/");
        String last = folder.substring(folder.lastIndexOf('/') + 1);
        response.setHeader("Location", isBelow ? page : last + "/" + page);
    }
}
