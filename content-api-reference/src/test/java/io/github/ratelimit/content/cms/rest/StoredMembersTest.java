package io.github.ratelimit.content.cms.rest;

import static io.github.ratelimit.content.cms.rest.Context.EVERYWHERE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.ratelimit.content.cms.security.Caller;
import io.github.ratelimit.content.shared.storage.Column;
import io.github.ratelimit.content.shared.storage.Columns;
import io.github.ratelimit.content.shared.storage.DeclaredMembers;
import io.github.ratelimit.content.shared.storage.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A member that is stored is one entry and a column: here of a table of its own, in each form. */
class StoredMembersTest {
    private static final String COLUMNS = "subtitle varchar(5) default '' not null, pages bigint default 0 not null,"
            + " printed boolean default false not null, sold timestamp with time zone";

    private static final Fields<Row, Written> BOOK = book();

    private final SingleConnectionDataSource database = new SingleConnectionDataSource("jdbc:h2:mem:", true);
    private final JdbcClient jdbc = JdbcClient.create(database);

    /** What is to be written, by column. */
    private static final class Written {
        private final Map<Column<?>, @Nullable Object> values = new TreeMap<>();

        <V> Written set(Column<V> column, @Nullable V value) {
            values.put(column, value);
            return this;
        }

        List<@Nullable Object> bound() {
            List<@Nullable Object> bound = new ArrayList<>();
            values.forEach((column, value) -> bound.add(column.bound(value)));
            return bound;
        }

        String names(String behind) {
            return values.keySet().stream()
                    .map(column -> column.name() + behind)
                    .collect(Collectors.joining(", "));
        }
    }

    private static Fields<Row, Written> book() {
        Fields.Table<Row, Written> fields = Fields.declare();
        Fields.Stored<Written> stored = fields.stored(Function.identity(), Written::set);
        stored.add(Column.text("subtitle", 5), "subtitle", "Below its title.", EVERYWHERE);
        stored.add(Column.number("pages"), "length", "How many pages.", EVERYWHERE);
        stored.add(Column.flag("printed"), "printed", "Whether there is paper.", EVERYWHERE);
        stored.add(Column.moment("sold"), "sold", "When first.", EVERYWHERE);
        return fields.build();
    }

    @AfterEach
    void close() {
        database.destroy();
    }

    @Test
    void memberOfEachFormGoesThroughCreateChangeAndRead() {
        jdbc.sql("create table book (" + COLUMNS + ")").update();
        DeclaredMembers.require(jdbc, "book", Set.of("version"), BOOK.stored());
        Columns columns = Columns.of(BOOK.stored().values());
        Written made = sent("{'subtitle':'Nine','length':'7','printed':true,'sold':'2024-02-03T04:05:06+01:00'}");

        jdbc.sql("insert into book (" + made.names("") + ") values (?, ?, ?, ?)")
                .params(made.bound())
                .update();

        assertThat(shown(columns))
                .isEqualTo("{'subtitle':'Nine','length':7,'printed':true,'sold':'2024-02-03T03:05:06+00:00'}");

        Written changed = sent("{'printed':false,'sold':null}");
        jdbc.sql("update book set " + changed.names(" = ?"))
                .params(changed.bound())
                .update();

        assertThat(shown(columns)).isEqualTo("{'subtitle':'Nine','length':7,'printed':false,'sold':null}");
    }

    @Test
    void whatTheDatabaseHasNothingOfIsEmpty() {
        jdbc.sql("create table book (id bigint, " + COLUMNS.replace(" not null", "") + ")")
                .update();
        jdbc.sql("insert into book (subtitle, pages, printed) values (null, null, null)")
                .update();

        Columns columns = Columns.of(BOOK.stored().values());
        assertThat(shown(columns)).isEqualTo("{'subtitle':'','length':0,'printed':false,'sold':null}");
        Row row = jdbc.sql("select " + columns.names("") + " from book")
                .query((result, number) -> columns.read(result))
                .single();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> row.get(Column.moment("sold")))
                .withMessage("column sold (moment) holds nothing");
    }

    @Test
    void whatAColumnDoesNotHoldIsRefusedByTheNameOfItsMember() {
        for (String longer : List.of("{'subtitle':'123456'}", "{'subtitle':'\ud83d\ude00\ud83d\ude00\ud83d\ude00'}")) {
            assertThat(refused(longer)).as(longer).contains("subtitle must be at most 5 characters long.");
        }
        assertThat(refused("{'length':'many'}")).contains("length is not of type integer.");
        // As all numbers of this interface: the greatest that there is.
        assertThat(sent("{'length':9223372036854775808}").bound()).containsExactly(Long.MAX_VALUE);
        assertThat(refused("{'printed':'perhaps'}")).contains("printed is not of type boolean.");
        assertThat(refused("{'sold':'yesterday'}")).contains("\"sold\":\"Invalid date.\"");
        assertThat(refused("{'sold':'9999-12-31T24:00:00'}")).contains("\"sold\":\"Invalid date.\"");
        assertThat(refused("{'sold':'0000-01-01T00:00:00'}")).contains("\"sold\":\"Invalid date.\"");
    }

    @Test
    void startNamesMemberColumnAndRemedyWhereTheDatabaseDoesNotFit() {
        String member = "member 'subtitle' is stored in column 'subtitle' of table 'book', ";
        String remedy = "; a migration makes it: alter table book add column subtitle varchar(5) default '' not null";
        Map<String, Column<?>> subtitle = Map.of("subtitle", Column.text("subtitle", 5));

        assertThat(problem("other bigint", subtitle)).isEqualTo(member + "which is not there" + remedy);
        assertThat(problem("subtitle bigint", subtitle))
                .isEqualTo(member + "which must be character varying, was bigint" + remedy);
        assertThat(problem("subtitle varchar(4) default ''", subtitle))
                .isEqualTo(member + "which must hold 5 characters, was 4" + remedy);
        assertThat(problem("subtitle varchar(5) not null", subtitle))
                .isEqualTo(member + "which must have a default, as not every row names it" + remedy);
        assertThat(problem("pages integer default 0", Map.of("length", Column.number("pages"))))
                .startsWith(
                        "member 'length' is stored in column 'pages' of table 'book', which must be bigint, was integer");
    }

    @Test
    void startRefusesAMemberInAColumnThatTheServerWrites() {
        assertThat(problem("version bigint default 0", Map.of("edition", Column.number("version"))))
                .isEqualTo("member 'edition' is stored in column 'version' of table 'book',"
                        + " which the server itself writes; choose another column");
    }

    @Test
    void tableThatTakesMembersOverStoresNoneOfItsOwn() {
        Fields.Table<Row, Written> signed = Fields.declare();
        signed.with(BOOK, Function.identity());
        assertThat(signed.build().stored()).isEqualTo(BOOK.stored());

        signed.stored(Function.identity(), Written::set).add(Column.text("dedication", 5), "to", "Whom.", EVERYWHERE);

        assertThatIllegalStateException()
                .isThrownBy(signed::build)
                .withMessage("member 'to' is stored in column 'dedication', which nobody reads:"
                        + " declare it in the table that this one takes its members over from");
    }

    private @Nullable String problem(String columns, Map<String, Column<?>> members) {
        jdbc.sql("drop table if exists book").update();
        jdbc.sql("create table book (" + columns + ")").update();
        try {
            DeclaredMembers.require(jdbc, "book", Set.of("version"), members);
            return null;
        } catch (IllegalStateException problem) {
            return problem.getMessage();
        }
    }

    @Test
    void columnHasOneMemberAndAMemberOneName() {
        Fields.Table<Row, Written> shared = Fields.declare();
        Fields.Stored<Written> stored = shared.stored(Function.identity(), Written::set);
        stored.add(Column.text("subtitle", 5), "subtitle", "Below its title.", EVERYWHERE);
        stored.add(Column.text("subtitle", 5), "tagline", "The same.", EVERYWHERE);

        assertThatIllegalStateException()
                .isThrownBy(shared::build)
                .withMessage(
                        "members 'subtitle' and 'tagline' are both stored in column 'subtitle': each needs one of its own");
        assertThatIllegalStateException()
                .isThrownBy(() -> stored.add(Column.number("pages"), "tagline", "Again.", EVERYWHERE))
                .withMessage("member 'tagline' is declared twice: each needs a name of its own");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Columns.of(List.of(Column.text("subtitle", 5), Column.number("subtitle"))))
                .withMessage("a column is declared as subtitle (text of 5) and as subtitle (number)");
    }

    @Test
    void thousandColumnsAreReadByName() {
        List<Column<Long>> many =
                IntStream.range(0, 1000).mapToObj(i -> Column.number("n" + i)).toList();
        jdbc.sql("create table book ("
                        + many.stream()
                                .map(column -> column.name() + " bigint default 0")
                                .collect(Collectors.joining(", "))
                        + ")")
                .update();
        jdbc.sql("insert into book (n999) values (7)").update();
        Columns columns = Columns.of(many);

        Row row = jdbc.sql("select " + columns.names("") + " from book")
                .query((result, number) -> columns.read(result))
                .single();

        assertThat(row.get(many.get(999))).isEqualTo(7);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> row.get(Column.number("other")))
                .withMessage("column other (number) is not read");
        assertThatCode(() -> DeclaredMembers.require(
                        jdbc,
                        "book",
                        Set.of("version"),
                        many.stream().collect(Collectors.toMap(Column::name, column -> column))))
                .doesNotThrowAnyException();
    }

    @Test
    void rowThatWasNotReadIsEmptyAndChangesByColumn() {
        Columns columns = Columns.of(BOOK.stored().values());

        Row made = columns.empty().with(Column.number("pages"), 7L);

        assertThat(made.bound().toString()).isEqualTo("{subtitle=, pages=7, printed=false, sold=null}");
        assertThat(columns.empty().get(Column.number("pages"))).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> made.with(Column.number("other"), 7L))
                .withMessage("column other (number) is not read");
    }

    @Test
    void longTextsAloneAreCounted() {
        Column<String> essay = Column.text("essay", 20_000);
        jdbc.sql("create table book (essay varchar(20000), title varchar(10))").update();
        jdbc.sql("insert into book values ('12345', '123')").update();
        Columns columns = Columns.of(Arrays.asList(Column.text("title", 10), essay));

        Row row = jdbc.sql("select " + columns.names("") + " from book")
                .query((result, number) -> columns.read(result))
                .single();

        assertThat(columns.longNames()).containsExactly("essay");
        assertThat(row.length()).isEqualTo(5);
    }

    private String shown(Columns columns) {
        Row row = jdbc.sql("select " + columns.names("") + " from book")
                .query((result, number) -> columns.read(result))
                .single();
        return BOOK.show(asking("{}"), row, Context.VIEW).toString().replace('"', '\'');
    }

    private static Written sent(String json) {
        return BOOK.write(BOOK.arguments().read(asking(json)).values(), new Written());
    }

    private static String refused(String json) {
        RestError refusal = BOOK.arguments().read(asking(json)).refusal();
        return refusal == null ? "taken" : refusal.toAnswer().body().tree().toString();
    }

    private static RestRequest asking(String json) {
        ObjectNode body = (ObjectNode) JsonMapper.shared().readTree(json.replace('\'', '"'));
        return RestRequest.ofServer(RestMethod.POST, "/books/7", Caller.anonymous(), "", body);
    }
}
