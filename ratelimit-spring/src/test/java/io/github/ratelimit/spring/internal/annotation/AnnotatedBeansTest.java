package io.github.ratelimit.spring.internal.annotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimiterSpec;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.Phase;
import io.github.ratelimit.http.ClientAddress;
import io.github.ratelimit.http.HttpCall;
import io.github.ratelimit.http.HttpKeys;
import io.github.ratelimit.spring.NoRateLimit;
import io.github.ratelimit.spring.RateLimit;
import io.github.ratelimit.spring.internal.InvalidRateLimitException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.samples.Clinic;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;

class AnnotatedBeansTest {

    @RateLimit(permits = 5, window = "PT10S", name = "login")
    @Retention(RetentionPolicy.RUNTIME)
    @interface LikeALogin {}

    @Controller
    @RateLimit("site")
    static class Posts {

        @RateLimit("posts")
        @RateLimit(permits = 600, window = "1m")
        @RateLimit(
                permits = 9,
                window = "1h",
                key = {"client-address", "user-agent"})
        void create() {}

        void list() {}

        @LikeALogin
        void open() {}

        @RateLimit(permits = 1, window = "500ms")
        void find(int id) {}

        @RateLimit(permits = 2, window = "500ms")
        void find(String name) {}
    }

    @Controller
    static class MorePosts extends Posts {

        @Override
        @RateLimit("more")
        void create() {}
    }

    interface Described {
        @RateLimit("described")
        @GetMapping("/")
        void get();
    }

    @Controller
    static class Describing implements Described {
        @Override
        public void get() {}
    }

    @Controller
    @RateLimit(permits = 7, window = "1m")
    static class Whole {
        void one() {}

        @LikeALogin
        void two() {}
    }

    private static final AnnotatedBeans LIMITERS =
            AnnotatedBeans.of(List.of(Posts.class, MorePosts.class, Describing.class, Whole.class));

    private static List<String> names(Object controller, String method, Class<?>... parameters) {
        try {
            Method found = Arrays.stream(controller.getClass().getMethods())
                            .anyMatch(m -> m.getName().equals(method))
                    ? controller.getClass().getMethod(method, parameters)
                    : declared(controller.getClass(), method, parameters);
            return LIMITERS.namesFor(controller.getClass(), found);
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private static Method declared(Class<?> type, String method, Class<?>... parameters) throws NoSuchMethodException {
        try {
            return type.getDeclaredMethod(method, parameters);
        } catch (NoSuchMethodException e) {
            return type.getSuperclass().getDeclaredMethod(method, parameters);
        }
    }

    private static List<LimiterSpec<HttpCall>> specs(AnnotatedBeans limiters) {
        return limiters.specs(
                parts -> HttpKeys.parse(parts, ClientAddress.ofPeer(), name -> null), OnStoreFailure.REJECT);
    }

    @Test
    void classAndMethodBothApplyInThisOrder() {
        assertThat(names(new Posts(), "create")).containsExactly("site", "posts", "Posts.create-2", "Posts.create-3");
        assertThat(names(new Posts(), "list")).containsExactly("site");
    }

    @NoRateLimit
    @Retention(RetentionPolicy.RUNTIME)
    @interface Free {}

    @Controller
    @RateLimit("site")
    static class Mixed {

        @NoRateLimit
        void status() {}

        @Free
        @RateLimit("own")
        void own() {}

        void other() {}
    }

    @Controller
    static class MoreMixed extends Mixed {

        @Override
        void status() {}
    }

    @Test
    void methodIsExemptFromTheLimitersOfItsClass() {
        assertThat(names(new Mixed(), "status")).isEmpty();
        assertThat(names(new Mixed(), "own")).containsExactly("own");
        assertThat(names(new Mixed(), "other")).containsExactly("site");
        assertThat(names(new MoreMixed(), "status")).isEmpty();
    }

    @Controller
    static class Lists {
        @RateLimit("lists")
        public void list() {}
    }

    static class FreeLists extends Lists {
        @Override
        @NoRateLimit
        public void list() {}
    }

    static class MoreFreeLists extends FreeLists {
        @Override
        public void list() {}
    }

    static class LimitedAgain extends FreeLists {
        @Override
        @RateLimit("own")
        public void list() {}
    }

    @Test
    void exemptionReplacesTheLimiterOfTheOverriddenMethod() {
        assertThat(names(new FreeLists(), "list")).isEmpty();
        assertThat(names(new MoreFreeLists(), "list")).isEmpty();
        assertThat(names(new LimitedAgain(), "list")).containsExactly("own");
    }

    @RateLimit("site")
    static class MixedService {

        @NoRateLimit
        public final void status() {}

        @NoRateLimit
        public void free() {}

        public void other() {}
    }

    @Test
    void methodOfABeanIsExemptFromTheLimitersOfItsClass() throws NoSuchMethodException {
        assertThat(Annotations.methods(MixedService.class)).containsExactly(MixedService.class.getMethod("other"));
        assertThatCode(() -> Annotations.requireProxyable(MixedService.class))
                .as("no call of a final method is to be limited")
                .doesNotThrowAnyException();
    }

    @Test
    void nearestAnnotationsHoldAmongOverridingMethods() {
        assertThat(names(new MorePosts(), "create")).containsExactly("site", "more");
        assertThat(names(new MorePosts(), "list")).containsExactly("site");
        assertThat(names(new Describing(), "get")).containsExactly("described");
    }

    @Test
    void annotationsOfOnesOwnAreFollowed() {
        assertThat(names(new Posts(), "open")).containsExactly("site", "login");
        assertThat(names(new Whole(), "two")).containsExactly("Whole", "login");
        assertThat(names(new Whole(), "one")).containsExactly("Whole");
    }

    @Test
    void overloadsAreToldApartTheSameWayInEveryProcess() {
        assertThat(names(new Posts(), "find", int.class)).containsExactly("site", "Posts.find-int");
        assertThat(names(new Posts(), "find", String.class)).containsExactly("site", "Posts.find-String");
    }

    /** Two forms of one class, before and after somebody has written an overload. */
    static class Before {
        @Controller
        static class Archive {
            @RateLimit(permits = 1, window = "1m")
            void find(int id) {}
        }
    }

    static class After {
        @Controller
        static class Archive {
            @RateLimit(permits = 1, window = "1m")
            void find(int id) {}

            @RateLimit(permits = 2, window = "1m")
            void find(String name, Map<String, String> parameters) {}
        }
    }

    @Test
    void newOverloadRenamesNoLimiter() {
        assertThat(specs(AnnotatedBeans.of(List.of(Before.Archive.class))))
                .extracting(LimiterSpec::name)
                .containsExactly("Archive.find-int");
        assertThat(specs(AnnotatedBeans.of(List.of(After.Archive.class))))
                .extracting(LimiterSpec::name)
                .containsExactlyInAnyOrder("Archive.find-int", "Archive.find-String-Map");
    }

    @Controller
    static class WithAVeryLongName {
        @RateLimit(permits = 1, window = "1m")
        void withAnEvenLongerNameThanThatOfItsClass(List<String> all, Map<String, String> parameters) {}

        @RateLimit(permits = 1, window = "1m")
        void of(String[] names) {}
    }

    @Test
    void namesThatWouldBeMalformedAreShortenedTheSameWayInEveryProcess() {
        assertThat(specs(AnnotatedBeans.of(List.of(WithAVeryLongName.class))))
                .extracting(LimiterSpec::name)
                .containsExactlyInAnyOrder(
                        "WithAVeryLongName.withAnEvenLongerNameThanThatOfItsClass-List-Ma",
                        "WithAVeryLongName.of-String__");
    }

    @Test
    void twoDescriptionsThatComeToOneNameAreRejected() {
        assertThatThrownBy(() -> AnnotatedBeans.of(List.of(Before.Archive.class, After.Archive.class)))
                .isInstanceOf(InvalidRateLimitException.class)
                .hasMessage(
                        "@RateLimit(permits = 1, window = \"1m\") on Archive.find: its limiter is called 'Archive.find-int', "
                                + "and so is that of " + Before.Archive.class.getName() + "#find(int)#0")
                .extracting(failure -> ((InvalidRateLimitException) failure).remedy())
                .isEqualTo("give at least one of them a name of its own, by the member name");
    }

    @Controller
    static class Borrowing {
        @RateLimit(permits = 1, window = "1m", name = "Archive.find-int")
        void find() {}
    }

    @Test
    void nameThatIsGivenIsNotSharedWithOneThatIsNot() {
        assertThatThrownBy(() -> AnnotatedBeans.of(List.of(Before.Archive.class, Borrowing.class)))
                .hasMessageContaining("its limiter is called 'Archive.find-int'");
    }

    @Test
    void limitersInPlaceDecideOnceTheCallerIsKnown() {
        assertThat(specs(LIMITERS)).extracting(LimiterSpec::phase).containsOnly(Phase.AFTER_AUTHENTICATION);
    }

    @Test
    void describedLimitersAreMadeOnce() {
        List<LimiterSpec<HttpCall>> specs = specs(LIMITERS);
        assertThat(specs)
                .extracting(LimiterSpec::name)
                .doesNotHaveDuplicates()
                .contains("login", "Whole", "Posts.create-2");
        LimiterSpec<HttpCall> login = specs.stream()
                .filter(spec -> spec.name().equals("login"))
                .findFirst()
                .orElseThrow();
        assertThat(login.rules())
                .singleElement()
                .extracting(rule -> rule.limits())
                .isEqualTo(List.of(Limit.of("login", 5, Duration.ofSeconds(10))));
        assertThat(login.onStoreFailure()).isEqualTo(OnStoreFailure.REJECT);
    }

    @Controller
    static class PostController {
        @RateLimit("coments")
        void create() {}
    }

    @Test
    void unknownLimiterIsNamedWithThoseThatAreKnown() {
        AnnotatedBeans limiters = AnnotatedBeans.of(List.of(PostController.class));
        assertThatThrownBy(() -> limiters.requireKnown(Set.of("widgets", "comments", "search")))
                .isInstanceOf(InvalidRateLimitException.class)
                .hasMessage(
                        "@RateLimit(\"coments\") on PostController.create: no such limiter; known: comments, search, widgets");
    }

    @Controller
    static class Silent {
        @RateLimit
        void get() {}
    }

    @Controller
    static class Talkative {
        @RateLimit(value = "a", permits = 1)
        void get() {}
    }

    @Controller
    static class HalfIgnored {
        @RateLimit(value = "a", key = "principal")
        void get() {}
    }

    @Controller
    static class Renamed {
        @RateLimit(value = "a", name = "b")
        void get() {}
    }

    @Controller
    static class KeyAlone {
        @RateLimit(key = "principal")
        void get() {}
    }

    @Controller
    static class Unitless {
        @RateLimit(permitsString = " 5 ", window = "60")
        void get() {}
    }

    @Controller
    static class Twice {
        @RateLimit(permits = 1, permitsString = "${p}", window = "1m")
        void get() {}
    }

    @Controller
    static class Worded {
        @RateLimit(permitsString = "many", window = "1m")
        void get() {}
    }

    @Test
    void numberWithoutAUnitIsInSeconds() {
        assertThat(specs(AnnotatedBeans.of(List.of(Unitless.class))))
                .flatExtracting(LimiterSpec::rules)
                .flatExtracting(rule -> rule.limits())
                .containsExactly(Limit.of("Unitless.get", 5, Duration.ofSeconds(60)));
    }

    @Controller
    static class Never {
        @RateLimit(permits = -1, window = "1m")
        void get() {}
    }

    @Controller
    static class Keyless {
        @RateLimit(permits = 1, window = "1m", key = "client-adress")
        void get() {}
    }

    @Controller
    static class Contradicting {
        @RateLimit(permits = 1, window = "1m", name = "n")
        void one() {}

        @RateLimit(permits = 2, window = "1m", name = "n")
        void two() {}
    }

    @Test
    void whatAnAnnotationCannotMeanIsSaid() {
        assertThatThrownBy(() -> AnnotatedBeans.of(List.of(Silent.class)))
                .hasMessageContaining("on Silent.get: says nothing");
        assertThatThrownBy(() -> AnnotatedBeans.of(List.of(Talkative.class)))
                .hasMessage("@RateLimit(\"a\") on Talkative.get: names a limiter and describes one");
        assertThatThrownBy(() -> AnnotatedBeans.of(List.of(HalfIgnored.class)))
                .hasMessage("@RateLimit(\"a\") on HalfIgnored.get: names a limiter and describes one");
        assertThatThrownBy(() -> AnnotatedBeans.of(List.of(Renamed.class)))
                .hasMessage("@RateLimit(\"a\") on Renamed.get: names a limiter and describes one");
        assertThatThrownBy(() -> specs(AnnotatedBeans.of(List.of(KeyAlone.class))))
                .hasMessage("@RateLimit(permits = 0, window = \"\") on KeyAlone.get: window '' is not a duration");
        assertThatThrownBy(() -> specs(AnnotatedBeans.of(List.of(Twice.class))))
                .hasMessage(
                        "@RateLimit(permitsString = \"${p}\", window = \"1m\") on Twice.get: gives permits and permitsString");
        assertThatThrownBy(() -> specs(AnnotatedBeans.of(List.of(Worded.class))))
                .hasMessage(
                        "@RateLimit(permitsString = \"many\", window = \"1m\") on Worded.get: permitsString 'many' is no number");
        assertThatThrownBy(() -> specs(AnnotatedBeans.of(List.of(Never.class))))
                .hasMessageContaining("on Never.get: limit 'Never.get': permits must be 1..9007199254740991, was -1");
        assertThatThrownBy(() -> specs(AnnotatedBeans.of(List.of(Keyless.class))))
                .hasMessageContaining("on Keyless.get: no such key resolver: 'client-adress'");
        assertThatThrownBy(() -> specs(AnnotatedBeans.of(List.of(Contradicting.class))))
                .hasMessageContaining("describes limiter 'n' otherwise than @RateLimit(permits = ");
    }

    interface Listed {
        @RateLimit("reading")
        void get();
    }

    interface Shown {
        @RateLimit("showing")
        void get();
    }

    /** Without a word about the limit. */
    interface Plain {
        void get();
    }

    @Controller
    static class OfBoth implements Listed, Shown {
        @Override
        public void get() {}
    }

    @Controller
    static class SaysItself implements Listed, Shown {
        @Override
        @RateLimit("own")
        public void get() {}
    }

    interface ReadAndShown extends Listed, Shown {
        @Override
        @RateLimit("joined")
        void get();
    }

    @Controller
    static class OfOne implements ReadAndShown, Plain, Listed {
        @Override
        public void get() {}
    }

    interface ReadInOtherWords {
        @RateLimit("reading")
        void get();
    }

    @Controller
    static class SaysTheSameTwice implements Listed, ReadInOtherWords {
        @Override
        public void get() {}
    }

    static class Joining implements ReadAndShown {
        @Override
        public void get() {}
    }

    @Controller
    static class SaysAgainWhatItImplements extends Joining implements Listed {}

    interface AlsoListed extends Listed {}

    @Controller
    static class TheSameTwice implements Listed, AlsoListed {
        @Override
        public void get() {}
    }

    static class Base {
        @RateLimit("base")
        public void get() {}
    }

    @Controller
    static class OfClassAndInterface extends Base implements Listed {
        @Override
        public void get() {}
    }

    @RateLimit("reads")
    interface Reads {}

    @RateLimit("shows")
    interface Shows {}

    @Controller
    static class WholeOfBoth implements Reads, Shows {}

    @RateLimit("whole-base")
    static class WholeBase {}

    @Controller
    static class WholeOfClassAndInterface extends WholeBase implements Reads {}

    interface ReadTwice extends Listed, ReadInOtherWords {}

    @Controller
    static class SaysTheSameByOne implements ReadTwice {
        @Override
        public void get() {}
    }

    static class Narrow extends Base {
        @Override
        @RateLimit("reading")
        public void get() {}
    }

    /** What the one place overrides is no place any more. */
    @Controller
    static class SaysTheSameAsItsBase extends Narrow implements Listed {
        @Override
        public void get() {}
    }

    static class Undecided implements Listed, Shown {
        @Override
        public void get() {}
    }

    static class Decided extends Undecided {
        @Override
        @RateLimit("own")
        public void get() {}
    }

    private static void requireAmbiguous(Class<?> type, String message) {
        assertThatThrownBy(() -> AnnotatedBeans.of(List.of(type)))
                .isInstanceOf(InvalidRateLimitException.class)
                .hasMessage(message);
    }

    /** None of them is dropped in silence. */
    @Test
    void placesOfEqualStandingThatDifferStopTheStart() {
        requireAmbiguous(OfBoth.class, "@RateLimit(\"reading\") on OfBoth.get: Listed and Shown say different things");
        requireAmbiguous(
                OfClassAndInterface.class,
                "@RateLimit(\"base\") on OfClassAndInterface.get: Base and Listed say different things");
        requireAmbiguous(
                WholeOfBoth.class, "@RateLimit(\"reads\") on WholeOfBoth: Reads and Shows say different things");
        requireAmbiguous(
                WholeOfClassAndInterface.class,
                "@RateLimit(\"whole-base\") on WholeOfClassAndInterface: WholeBase and Reads say different things");
        requireAmbiguous(
                InheritsFromTwo.class,
                "@RateLimit(\"base\") on InheritsFromTwo.get: Base and Listed say different things");
    }

    @Test
    void nearestPlaceHoldsWhereOneOverridesTheOthers() {
        AnnotatedBeans limiters = AnnotatedBeans.of(List.of(SaysItself.class, OfOne.class, TheSameTwice.class));
        assertThat(limiters.names()).containsExactlyInAnyOrder("own", "joined", "reading");
        assertThat(AnnotatedBeans.of(List.of(SaysTheSameTwice.class)).names()).containsExactly("reading");
        assertThat(AnnotatedBeans.of(List.of(SaysTheSameByOne.class)).names()).containsExactly("reading");
        assertThat(AnnotatedBeans.of(List.of(SaysTheSameAsItsBase.class)).names())
                .containsExactly("reading");
        assertThatCode(() -> Annotations.requireProxyable(Decided.class)).doesNotThrowAnyException();
        assertThat(AnnotatedBeans.of(List.of(SaysAgainWhatItImplements.class)).names())
                .containsExactly("joined");
    }

    static class Ready {
        public void get() {}

        public void find(String name) {}
    }

    interface Finds<T> {
        @RateLimit("finding")
        void find(T name);

        @RateLimit("found-by-number")
        void find(Integer number);
    }

    @Controller
    static class InheritsWhatItImplements extends Ready implements AlsoListed, Finds<String> {
        @Override
        public void find(Integer number) {}
    }

    static class BeanThatInherits extends Ready implements Listed {}

    static class Secretive {
        @SuppressWarnings("UnusedMethod")
        private void get() {}
    }

    static class HasItsOwn extends Secretive implements Listed {
        @Override
        public void get() {}
    }

    interface Gives<T> {
        T give(long id);
    }

    interface GivesNames extends Gives<String> {
        @Override
        @RateLimit(permits = 1, window = "1h")
        String give(long id);
    }

    static class ReadyToGive implements Gives<String> {
        @Override
        public String give(long id) {
            return "";
        }
    }

    static class InheritsTheGiving extends ReadyToGive implements GivesNames {}

    @Controller
    static class InheritsFromTwo extends Base implements Listed {}

    /** The superclass, which has the method, does not know the interface. */
    @Test
    void interfaceOfAnInheritedMethodHolds() throws Exception {
        AnnotatedBeans limiters = AnnotatedBeans.of(List.of(InheritsWhatItImplements.class));
        assertThat(limiters.names()).containsExactlyInAnyOrder("reading", "finding", "found-by-number");
        assertThat(limiters.namesFor(InheritsWhatItImplements.class, Ready.class.getMethod("get")))
                .containsExactly("reading");
        assertThat(limiters.namesFor(InheritsWhatItImplements.class, Ready.class.getMethod("find", String.class)))
                .containsExactly("finding");
        assertThat(Annotations.methods(BeanThatInherits.class)).containsExactly(Ready.class.getMethod("get"));
        assertThatCode(() -> Annotations.requireProxyable(HasItsOwn.class)).doesNotThrowAnyException();
        assertThat(Annotations.onMethod(InheritsTheGiving.class, ReadyToGive.class.getMethod("give", long.class)))
                .hasSize(1);
    }

    @Test
    void describedLimiterOfWhatIsNoControllerIsRejected() throws Exception {
        AnnotatedBeans none = AnnotatedBeans.of(List.of());
        Method one = Whole.class.getDeclaredMethod("one");
        assertThatThrownBy(() -> none.requireKnown(Whole.class, one, Set.of()))
                .isInstanceOf(InvalidRateLimitException.class)
                .hasMessageContaining("is no controller bean");
    }

    @Test
    void applicationOfAPackageOfSpringIsRead() {
        assertThat(Annotations.isAnnotated(Clinic.class)).isTrue();
    }
}
