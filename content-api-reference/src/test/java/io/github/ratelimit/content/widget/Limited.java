package io.github.ratelimit.content.widget;

/** The limiters with their documented limits, and a request that succeeds. */
enum Limited {
    INIT(1000, "POST " + OnLimitedServer.WIDGET + "init HTTP/1.1", "{}"),
    SESSION(300, "POST " + OnLimitedServer.WIDGET + "events HTTP/1.1", "{\"name\":\"seen\"}"),
    LEADS(30, "POST " + OnLimitedServer.WIDGET + "leads HTTP/1.1", "{\"email\":\"a@example.org\"}"),
    CMS_PLUGIN(60, "GET /v1/cms/documents HTTP/1.1", ""),
    TYPING(600, "POST " + OnLimitedServer.WIDGET + "typing HTTP/1.1", "{}"),
    SATISFACTION(60, "POST " + OnLimitedServer.WIDGET + "satisfaction HTTP/1.1", "{\"rating\":5}"),
    COUPON(120, "POST " + OnLimitedServer.WIDGET + "coupon/apply HTTP/1.1", "{\"code\":\"WELCOME10\"}");

    private final int permits;
    private final String line;
    private final String body;

    Limited(int permits, String line, String body) {
        this.permits = permits;
        this.line = line;
        this.body = body;
    }

    int permits() {
        return permits;
    }

    String line() {
        return line;
    }

    String body() {
        return body;
    }
}
