package io.github.ratelimit.content.widget;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.ratelimit.content.harness.Answer;
import io.github.ratelimit.content.harness.Database;
import io.github.ratelimit.content.harness.RawConnection;
import io.github.ratelimit.content.harness.ReferenceServer;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.Ordered;

/** Asks of every operation that {@code /openapi.yaml} describes whether the server reads what it says, and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DescriptionTest {

    private static final String TOKEN = "cms_token-of-the-site-that-is-described";
    private static final String NO_TOKEN = "Accept: */*";

    private String site = TOKEN;

    private final Reads reads = new Reads();

    @AutoClose
    private final ReferenceServer server = ReferenceServer.start(
            Database.H2,
            ReferenceServer.with(reads),
            "--ratelimit.enabled=false",
            "--content-api.provision.workspaces[0].id=described",
            "--content-api.provision.workspaces[0].token=" + TOKEN);

    private final DescribedSurface surface = DescribedSurface.of(server);

    /** What a controller asks its request for. The last of all filters, so that what others read is not in it. */
    private static final class Reads implements Filter, Ordered {

        private final Set<String> query = new ConcurrentSkipListSet<>();
        private volatile boolean body;

        @Override
        public int getOrder() {
            return LOWEST_PRECEDENCE;
        }

        void forget() {
            query.clear();
            body = false;
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                        @Override
                        public String getParameter(String name) {
                            query.add(name);
                            return super.getParameter(name);
                        }

                        @Override
                        public String[] getParameterValues(String name) {
                            query.add(name);
                            return super.getParameterValues(name);
                        }

                        @Override
                        public ServletInputStream getInputStream() throws IOException {
                            body = true;
                            return super.getInputStream();
                        }
                    },
                    response);
        }
    }

    /** An operation in one of its forms: its query has nothing, or one parameter. */
    private record Form(String method, String path, DescribedSurface.Operation described, String query) {

        String line() {
            return method + " " + path.replace("{id}", "7e57").replaceAll("\\{[^}]*}", "NONE") + query + " HTTP/1.1";
        }

        @Override
        public String toString() {
            return line();
        }
    }

    private List<List<Form>> operations() {
        List<List<Form>> operations = new ArrayList<>();
        surface.operations()
                .forEach((path, methods) -> methods.forEach(method -> {
                    DescribedSurface.Operation described = surface.operationOf(method, path);
                    operations.add(Stream.concat(
                                    Stream.of(""), described.query().stream().map(name -> "?" + name + "=x"))
                            .map(query -> new Form(method, path, described, query))
                            .toList());
                }));
        assertThat(operations).hasSizeGreaterThan(35);
        return operations;
    }

    private String token(Set<String> kinds) {
        return OnLimitedServer.bearer(kinds.contains("site") ? site : visitor());
    }

    private String visitor() {
        return RawConnection.once(server.base(), "POST /api/v1/widget/init HTTP/1.1", "{}")
                .json()
                .path("token")
                .asString();
    }

    private Answer sent(Form form, String authorization) {
        Answer answer = RawConnection.once(server.base(), form.line(), "", authorization);
        if (form.path().endsWith("/rotate") && answer.status() == 200) {
            site = answer.json().path("token").asString();
        }
        return answer;
    }

    private static List<String> problems(String description) {
        var whole = new ParseOptions();
        whole.setResolve(true);
        return new OpenAPIV3Parser().readContents(description, null, whole).getMessages();
    }

    @Test
    void descriptionIsReadByOthersWithoutAProblem() {
        Answer description = RawConnection.once(server.base(), "GET /openapi.yaml HTTP/1.1", "");

        assertThat(problems(description.text())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"'summary:', 'sumary:'", "'in: query', 'in: body'", "'title:', 'name:'", "'  responses:', '  answers:'"
    })
    void aMistakeInTheDescriptionIsAProblem(String right, String wrong) {
        Answer description = RawConnection.once(server.base(), "GET /openapi.yaml HTTP/1.1", "");

        assertThat(problems(description.text().replace(right, wrong))).isNotEmpty();
    }

    /** Generators name such a type by its parts, and make none of that name: their clients do not compile. */
    @Test
    void nothingIsOfSeveralTypes() {
        assertThat(surface.ofSeveralTypes()).isEmpty();
    }

    @Test
    void parametersAndBodiesAreThoseThatAreRead() {
        for (List<Form> forms : operations()) {
            DescribedSurface.Operation described = forms.get(0).described();
            Set<String> query = new TreeSet<>();
            boolean body = false;
            for (Form form : forms) {
                String authorization = token(described.tokens());
                reads.forget();
                sent(form, authorization);
                query.addAll(reads.query);
                body |= reads.body;
            }
            // Spring also looks for names of lists, and for those that buttons which are pictures have.
            query.removeIf(name -> name.matches(".*(\\[]|\\.[xy])"));
            assertThat(query).as("query of %s", forms.get(0)).isEqualTo(described.query());
            assertThat(described.hasBody()).as("body of %s", forms.get(0)).isEqualTo(body);
        }
    }

    /** One that some form of an operation goes without is optional. */
    @Test
    void bodiesAreRequiredWhereNothingIsDoneWithoutOne() {
        for (List<Form> forms : operations()) {
            DescribedSurface.Operation described = forms.get(0).described();
            boolean required = forms.stream()
                    .map(form -> sent(form, token(described.tokens())))
                    .allMatch(answer -> answer.status() == 422 && answer.text().contains("\"body\":\"is required\""));
            assertThat(described.bodyRequired()).as("%s", forms.get(0)).isEqualTo(required);
        }
    }

    @Test
    void bodiesAreJsonAndNothingElse() {
        for (List<Form> forms : operations()) {
            Form form = forms.get(0);
            Answer answer = RawConnection.once(
                    server.base(), form.line(), "x", token(form.described().tokens()), "Content-Type: text/plain");
            // Where a method seldom has a body, Spring takes one of another type for none.
            boolean refused = answer.status() == 415
                    || (form.method().equals("DELETE") && answer.text().contains("\"body\":\"is required\""));
            assertThat(form.described().hasBody())
                    .as("%s: %s", form, answer.text())
                    .isEqualTo(refused);
        }
    }

    @Test
    void tokensAreThoseThatAreAskedFor() {
        for (List<Form> forms : operations()) {
            for (Form form : forms) {
                Set<String> tokens = form.described().tokens();
                Map<String, String> all = Map.of(
                        "none", NO_TOKEN,
                        "site", OnLimitedServer.bearer(site),
                        "visitor", OnLimitedServer.bearer(visitor()));
                all.forEach((kind, authorization) -> {
                    // Who may come without a token may bring any.
                    boolean may = tokens.contains("none") || tokens.contains(kind);
                    Answer answer = sent(form, authorization);
                    assertThat(answer.status() != 401)
                            .as("%s with the token of %s: %s", form, kind, answer.text())
                            .isEqualTo(may);
                });
            }
        }
    }
}
