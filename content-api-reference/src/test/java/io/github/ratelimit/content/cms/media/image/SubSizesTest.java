package io.github.ratelimit.content.cms.media.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SubSizesTest {

    @Test
    void aPhotographHasEverySizeThatIsSmallerThanIt() {
        assertThat(names(1600, 1200))
                .containsExactly(
                        "medium 300x225",
                        "large 1024x768",
                        "thumbnail 150x150",
                        "medium_large 768x576",
                        "1536x1536 1536x1152");
        assertThat(names(1200, 1600))
                .containsExactly(
                        "medium 225x300",
                        "large 768x1024",
                        "thumbnail 150x150",
                        "medium_large 768x1024",
                        "1536x1536 1152x1536");
        assertThat(names(600, 800)).containsExactly("medium 225x300", "thumbnail 150x150");
        assertThat(names(400, 600)).containsExactly("medium 200x300", "thumbnail 150x150");
    }

    @Test
    void aSmallPictureHasNone() {
        assertThat(names(64, 48)).isEmpty();
        assertThat(names(120, 90)).isEmpty();
        assertThat(names(150, 150)).isEmpty();
    }

    @Test
    void aCropKeepsTheMiddle() {
        assertThat(SubSizes.scaling(SubSizes.all().get(2), 400, 100))
                .contains(new SubSizes.Scaling(125, 0, 150, 100, 150, 100));
    }

    @Property
    void everySizeLiesWithinThePictureAndItsBox(
            @ForAll @IntRange(min = 1, max = 20_000) int width, @ForAll @IntRange(min = 1, max = 20_000) int height) {
        for (SubSizes.Size size : SubSizes.all()) {
            SubSizes.scaling(size, width, height).ifPresent(scaling -> {
                assertThat(scaling.width()).isBetween(1, width);
                assertThat(scaling.height()).isBetween(1, height);
                assertThat(size.width() == 0 || scaling.width() <= size.width()).isTrue();
                assertThat(size.height() == 0 || scaling.height() <= size.height())
                        .isTrue();
                assertThat(scaling.x()).isNotNegative();
                assertThat(scaling.y()).isNotNegative();
                assertThat(scaling.x() + scaling.sourceWidth()).isLessThanOrEqualTo(width);
                assertThat(scaling.y() + scaling.sourceHeight()).isLessThanOrEqualTo(height);
            });
        }
    }

    private static List<String> names(int width, int height) {
        var names = new ArrayList<String>();
        for (SubSizes.Size size : SubSizes.all()) {
            SubSizes.scaling(size, width, height)
                    .ifPresent(to -> names.add(size.name() + " " + to.width() + "x" + to.height()));
        }
        return names;
    }
}
