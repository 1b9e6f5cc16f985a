package io.github.ratelimit.content.widget.repeat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.content.shared.settings.ServerKey;
import io.github.ratelimit.content.shared.storage.Unbounded;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.servlet.ServletOrigin;
import io.github.ratelimit.test.TestClock;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.SqlProvider;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

/** What was done is told, and not done again, whatever becomes of the answer that was to be kept. */
final class RepeatedRequestFilterTest {

    private final TestClock clock = new TestClock();
    private final DriverManagerDataSource database =
            new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    private boolean takesNoAnswer;
    private boolean isOutOfMemory;
    private int served;

    private final RepeatedRequestFilter filter = new RepeatedRequestFilter(
            new RepeatedRequests(
                    clock,
                    JdbcClient.create(new Database()),
                    ServerKey.of("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
                    Unbounded.WORK),
            ClientAddress.ofPeer(),
            ServletOrigin.ofContainer(),
            JsonMapper.builder().build());

    private final class Database extends JdbcTemplate {
        Database() {
            super(database);
        }

        @Override
        protected int update(PreparedStatementCreator statement, @Nullable PreparedStatementSetter values) {
            String sql = Objects.requireNonNull(((SqlProvider) statement).getSql());
            if (takesNoAnswer && sql.startsWith("update repeated_request")) {
                throw isOutOfMemory
                        ? new IllegalStateException(new OutOfMemoryError("of a test"))
                        : new QueryTimeoutException("others are writing");
            }
            return super.update(statement, values);
        }
    }

    @BeforeEach
    void start() {
        Flyway.configure().dataSource(database).load().migrate();
    }

    @AfterEach
    void stop() {
        new JdbcTemplate(database).execute("shutdown");
    }

    @Test
    void whatWasDoneIsToldAndNotDoneAgainThoughItsAnswerCannotBeKept() throws Exception {
        takesNoAnswer = true;
        MockHttpServletResponse first = send(request());
        takesNoAnswer = false;
        clock.advance(Duration.ofMinutes(5).minusMillis(1));
        MockHttpServletResponse again = send(request());

        assertThat(first.getStatus()).isEqualTo(201);
        assertThat(first.getContentAsString()).isEqualTo("{\"made\":1}");
        assertThat(again.getStatus()).isEqualTo(409);
        assertThat(again.getContentAsString()).contains("request_in_progress");
        assertThat(served).isOne();

        clock.advance(Duration.ofMillis(1));
        assertThat(send(request()).getStatus())
                .as("as after a server was killed")
                .isEqualTo(201);
    }

    @Test
    void aDatabaseThatLacksMemoryEndsTheRequestAndSoTheProcess() {
        takesNoAnswer = true;
        isOutOfMemory = true;

        assertThatThrownBy(() -> send(request())).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void whatWasDoneIsNotDoneAgainThoughItsClientNeverSentTheRestOfTheBody() throws Exception {
        MockHttpServletResponse first = send(new HttpServletRequestWrapper(request()) {
            @Override
            public ServletInputStream getInputStream() {
                return new BrokenOff();
            }
        });

        assertThat(first.getContentAsString()).isEqualTo("{\"made\":1}");
        assertThat(send(request()).getStatus()).isEqualTo(409);
        assertThat(served).isOne();
    }

    private static final class BrokenOff extends ServletInputStream {
        @Override
        public int read() throws IOException {
            throw new IOException("the client is gone");
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            return read();
        }

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("read in one go");
        }
    }

    private static MockHttpServletRequest request() {
        var request = new MockHttpServletRequest("POST", "/api/v1/widget/conversation/close");
        request.addHeader(RepeatedRequestFilter.KEY_FIELD, "key");
        return request;
    }

    private MockHttpServletResponse send(HttpServletRequest request) throws ServletException, IOException {
        var response = new MockHttpServletResponse();
        FilterChain service = (asked, answer) -> {
            served++;
            ((HttpServletResponse) answer).setStatus(201);
            answer.setContentType("application/json");
            answer.getWriter().write("{\"made\":" + served + "}");
        };
        filter.doFilter(request, response, service);
        return response;
    }
}
