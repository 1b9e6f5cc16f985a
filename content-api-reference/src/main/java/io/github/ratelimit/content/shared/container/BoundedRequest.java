package io.github.ratelimit.content.shared.container;

import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.tomcat.util.http.Parameters;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.util.WebUtils;

/** A request, and what it holds until it is done. Belongs to one thread. */
public final class BoundedRequest extends HttpServletRequestWrapper {
    /** In bytes. Chosen: a form of ours has a password, or some names and addresses. */
    private static final int LONGEST_FORM = 64 * 1024;

    private static final int MOST_FIELDS = 1000;

    private static final String STORED = BoundedRequest.class.getName() + ".stored";

    private final Transfers transfers;
    private boolean isRead;
    private @Nullable Map<String, String[]> parameters;
    private long come;
    private long held;
    private long answered;
    private boolean isQueued;
    private final Work work;

    BoundedRequest(HttpServletRequest request, Transfers transfers) {
        super(request);
        this.transfers = transfers;
        this.work = new Work(transfers.bounds(), transfers.now());
    }

    /**
     * Says that the body goes to a file from here on: it is not held in memory, so it is not counted there.
     *
     * @param request that, or one around it
     */
    public static void isStored(ServletRequest request) {
        isStored(request, 0);
    }

    /**
     * The same of a body of which something stays in memory all the same: its first bytes are counted, for nobody knows which ones it will be.
     *
     * @param inMemory bytes that may stay there, at most
     */
    public static void isStored(ServletRequest request, long inMemory) {
        request.setAttribute(STORED, inMemory);
    }

    /**
     * Tells how much of the body has come by now, whoever read it and wherever it went.
     *
     * @param request that, or one around it
     * @return bytes, 0 or more; 0 of any other request
     */
    public static long come(ServletRequest request) {
        BoundedRequest bounded = WebUtils.getNativeRequest(request, BoundedRequest.class);
        return bounded == null ? 0 : bounded.come;
    }

    /** Holds more of the body, until the request is done, unless it is stored; returns how many bytes that are. */
    long holds(long bytes) {
        come += bytes;
        long more = getAttribute(STORED) instanceof Long most ? Math.min(bytes, Math.max(0, most - held)) : bytes;
        if (more > 0) {
            if (!transfers.tryHold(getRemoteAddr(), held, more)) {
                throw UnavailableException.busy("Too many bodies are being read at the moment.");
            }
            held += more;
        }
        return more;
    }

    Work work() {
        return work;
    }

    long held() {
        return held;
    }

    void answers(long bytes) {
        answered += bytes;
    }

    long answered() {
        return answered;
    }

    void queues() {
        isQueued = true;
    }

    boolean isQueued() {
        return isQueued;
    }

    void release() {
        transfers.release(getRemoteAddr(), held);
        transfers.answered(getRemoteAddr(), answered);
        if (isQueued) {
            transfers.leave(getRemoteAddr());
        }
        isQueued = false;
        held = 0;
        answered = 0;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        isRead = true;
        return super.getInputStream();
    }

    @Override
    public BufferedReader getReader() throws IOException {
        String name = getCharacterEncoding();
        return new BufferedReader(
                name == null
                        ? new InputStreamReader(getInputStream(), StandardCharsets.UTF_8)
                        : new InputStreamReader(getInputStream(), name));
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterMap().get(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    /** A form is read here, as the container would read a longer one. */
    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null) {
            Map<String, String[]> all = new LinkedHashMap<>();
            if (isForm()) {
                Parameters form = form();
                all.putAll(super.getParameterMap());
                Collections.list(form.getParameterNames())
                        .forEach(name -> all.merge(
                                name,
                                form.getParameterValues(name),
                                (query, sent) -> Stream.of(query, sent)
                                        .flatMap(Stream::of)
                                        .toArray(String[]::new)));
            } else {
                all.putAll(super.getParameterMap());
            }
            parameters = Collections.unmodifiableMap(all);
        }
        return parameters;
    }

    private boolean isForm() {
        String type = getContentType();
        return !isRead
                && "POST".equals(getMethod())
                && type != null
                && type.split(";", 2)[0].strip().equalsIgnoreCase(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    private Parameters form() {
        if (getContentLengthLong() > LONGEST_FORM) {
            throw UnavailableException.tooLongForm();
        }
        try {
            byte[] sent = getInputStream().readNBytes(LONGEST_FORM + 1);
            if (sent.length > LONGEST_FORM) {
                throw UnavailableException.tooLongForm();
            }
            Parameters form = new Parameters();
            form.setCharset(StandardCharsets.UTF_8);
            form.setLimit(MOST_FIELDS);
            form.processParameters(sent, 0, sent.length);
            return form;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
