package io.github.ratelimit.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Does to a request, by its path, whatever a servlet may do to one. The container itself dispatches what is below {@code /secret}.
 */
final class TestServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    /** What stands in the body of every request that was served. */
    static final String SERVED = "served";

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        Object included = request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
        String path = included == null ? request.getServletPath() : included.toString();
        if (path.startsWith("/limited/") && path.length() == "/limited/200".length()) {
            answer(Integer.parseInt(path.substring("/limited/".length())), response);
            return;
        }
        switch (path) {
            case "/limited/thrown" -> throw new ServletException("thrown on purpose");
            case "/forwarded" -> request.getRequestDispatcher("/limited/200").forward(request, response);
            case "/included" -> {
                request.getRequestDispatcher("/limited/200").include(request, response);
                answer(200, response);
            }
            case "/sent" -> response.sendError(404);
            case "/reset" -> {
                response.setHeader("X-Lost", "by the reset");
                response.reset();
                answer(201, response);
            }
            case "/async" -> {
                AsyncContext async = request.startAsync();
                async.start(() -> async.dispatch("/limited/200"));
            }
            case "/async-sent" -> {
                AsyncContext async = request.startAsync();
                async.start(() -> async.dispatch("/sent"));
            }
            case "/async-streamed" -> stream(request.startAsync());
            case "/async-thrown" -> {
                AsyncContext async = request.startAsync();
                async.start(() -> async.dispatch("/limited/thrown"));
            }
            case "/async-late" ->
                request.startAsync()
                        .setTimeout(250); // nobody ever answers; Jetty loses a shorter timeout, if it passes before its
            // timer is noted
            case "/async-reset" -> {
                AsyncContext async = request.startAsync(request, response);
                async.start(() -> async.dispatch("/reset"));
            }
            case "/async-again" -> {
                AsyncContext async = request.startAsync(request, response);
                async.start(() -> async.dispatch("/async"));
            }
            case "/forwarded-async" -> request.getRequestDispatcher("/async").forward(request, response);
            case "/forwarded-sent" -> request.getRequestDispatcher("/sent").forward(request, response);
            case "/forwarded-thrown" ->
                request.getRequestDispatcher("/limited/thrown").forward(request, response);
            case "/redirected" -> response.sendRedirect("/elsewhere");
            case "/twice", "/both", "/phases", "/free" -> answer(200, response);
            case "/secret" -> response.getWriter().write(FilterContract.SECRET);
            case ServletServer.ERROR_PAGE -> response.getWriter().write("error page");
            default -> response.setStatus(404);
        }
    }

    private static void stream(AsyncContext async) {
        async.start(() -> {
            try {
                HttpServletResponse response = (HttpServletResponse) async.getResponse();
                for (int i = 0; i < 3; i++) {
                    response.getOutputStream().write(SERVED.getBytes(StandardCharsets.UTF_8));
                    response.flushBuffer();
                }
            } catch (IOException e) {
                throw new IllegalStateException(e);
            } finally {
                async.complete();
            }
        });
    }

    private static void answer(int status, HttpServletResponse response) throws IOException {
        response.setStatus(status);
        response.getWriter().write(SERVED);
    }
}
