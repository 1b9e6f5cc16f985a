package io.github.ratelimit.content.shared.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.TimeSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.util.unit.DataSize;

/** What is not the server's fault gets no further than the outermost filter: the container would log it as one. */
final class BoundsFilterTest {
    private static final RequestBounds BOUNDS = new RequestBounds(
            DataSize.ofKilobytes(16),
            1_000,
            20_000,
            DataSize.ofMegabytes(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            4,
            4,
            DataSize.ofMegabytes(1),
            DataSize.ofMegabytes(1),
            Duration.ofSeconds(1),
            100,
            10);

    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/v1/widget/conversation");
    private final MockHttpServletResponse response = new MockHttpServletResponse();
    private MeantMethod meant = HttpServletRequest::getMethod;

    private void serve(Throwable failure) throws IOException, ServletException {
        FilterChain chain = (served, answer) -> {
            throw new ServletException("wrapped", new IllegalStateException("twice", failure));
        };
        serve(chain, response);
    }

    private void serve(FilterChain chain, MockHttpServletResponse answer) throws IOException, ServletException {
        Transfers transfers = new Transfers(TimeSource.system(), BOUNDS, 200, 64, peer -> false);
        new BoundsFilter(
                        transfers,
                        new RequestMeters(new SimpleMeterRegistry(), transfers),
                        OutOfMemory.endingTheProcess())
                .doFilter(request, answer, chain);
    }

    private void serveOnAFullDisk(MockHttpServletResponse answer) throws IOException, ServletException {
        var filter = new FullDiskFilter(() -> true, meant);
        serve((served, given) -> filter.doFilter(served, given, (stored, told) -> {}), answer);
    }

    /** A database that finds no room would serve nobody any more. */
    @ParameterizedTest
    @CsvSource({"GET, 200", "HEAD, 200", "OPTIONS, 200", "DELETE, 200", "POST, 503", "PUT, 503", "PATCH, 503", "x, 503"
    })
    void onAFullDiskNothingMoreIsStored(String method, int status) throws Exception {
        request.setMethod(method);

        serveOnAFullDisk(response);

        assertThat(response.getStatus()).isEqualTo(status);
        assertThat(response.getHeader("Retry-After")).isEqualTo(status == 503 ? "5" : null);
        assertThat(response.getHeader("Access-Control-Expose-Headers")).isEqualTo(status == 503 ? "Retry-After" : null);
    }

    /** What a request asks to be decides: a client that cannot send a deletion makes room by POST. */
    @ParameterizedTest
    @CsvSource({
        "DELETE, POST, 503",
        "POST, DELETE, 200",
        "POST, GET, 200",
        "POST, PUT, 503",
        "POST, '', 503",
        "GET, '', 200"
    })
    void onAFullDiskWhatIsAskedForDecides(String method, String wished, int status) throws Exception {
        request.setMethod(method);
        meant = http -> wished;

        serveOnAFullDisk(response);

        assertThat(response.getStatus()).isEqualTo(status);
    }

    @Test
    void whatCannotBeReadIsTheClientsMistake() throws Exception {
        serve(new InvalidParameterException("%zz"));

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContentAsString()).isEqualTo(ErrorBody.json(400, request.getRequestURI()));
    }

    @Test
    void databaseThatHasNoConnectionLeftIsTooBusy() throws Exception {
        serve(new CannotGetJdbcConnectionException("none", new SQLTransientConnectionException("after 5 s")));

        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Retry-After")).isEqualTo("5");
    }

    /** Lost and refused connections, writers that met, time limits, room, and what was deleted meanwhile; but no mistake of a statement. */
    @ParameterizedTest
    @CsvSource({
        "08006, true",
        "57P01, true",
        "57014, true",
        "53300, true",
        "40P01, true",
        "40001, true",
        "55P03, true",
        "23503, true",
        "23506, true",
        "23505, false",
        "22021, false",
        "42601, false",
        "90098, false"
    })
    void whatADatabaseGivesUpMayBeTriedAgain(String state, boolean isPassing) {
        SQLException told = new SQLException("of a driver that knows one class", state);
        var failed = new DataAccessResourceFailureException("failed", told);
        var notRolledBack = new TransactionSystemException("and the connection is gone", new SQLException("closed"));
        notRolledBack.initApplicationException(failed);

        assertThat(Causes.passing(failed).isPresent()).isEqualTo(isPassing);
        assertThat(Causes.passing(notRolledBack).isPresent()).isEqualTo(isPassing);
    }

    /** It found no room, and is opened again by the next connections. */
    @Test
    void databaseThatClosedItselfMayBeAskedAgain() {
        var closed = new SQLNonTransientConnectionException("The database has been closed", "90098");

        assertThat(Causes.passing(new DataAccessResourceFailureException("failed", closed)))
                .isPresent();
    }

    @Test
    void clientThatLeftIsToldAsTheContainerKnowsIt() {
        var gone = new ClientAbortException(new IOException("Broken pipe"));

        assertThatThrownBy(() -> serve(gone)).isSameAs(gone);
    }

    @Test
    void readerThatIsGivenUpIsToldAsTheContainerKnowsIt() {
        var given = new GivenUpException("too slow");

        assertThatThrownBy(() -> serve(given)).isSameAs(given);
    }

    @Test
    void whatIsOurFaultIsNotHidden() {
        assertThatThrownBy(() -> serve(new IllegalStateException("a fault"))).isInstanceOf(ServletException.class);
    }
}
