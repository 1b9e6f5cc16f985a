import com.afrozaar.wordpress.wpapi.v2.Client;
import com.afrozaar.wordpress.wpapi.v2.exception.PostNotFoundException;
import com.afrozaar.wordpress.wpapi.v2.model.Media;
import com.afrozaar.wordpress.wpapi.v2.model.Post;
import com.afrozaar.wordpress.wpapi.v2.model.PostStatus;
import com.afrozaar.wordpress.wpapi.v2.model.Term;
import com.afrozaar.wordpress.wpapi.v2.model.User;
import com.afrozaar.wordpress.wpapi.v2.model.builder.ContentBuilder;
import com.afrozaar.wordpress.wpapi.v2.model.builder.MediaBuilder;
import com.afrozaar.wordpress.wpapi.v2.model.builder.PostBuilder;
import com.afrozaar.wordpress.wpapi.v2.model.builder.TermBuilder;
import com.afrozaar.wordpress.wpapi.v2.model.builder.TitleBuilder;
import com.afrozaar.wordpress.wpapi.v2.response.PagedResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.springframework.core.io.FileSystemResource;
import org.springframework.http.HttpMethod;

/**
 * Uses a published client, unmodified, the way its users do. Arguments: the address that it puts the route behind, a login, its
 * application password, a picture. Uses both forms of an address: the site's, and that of its index. Prints a line for each thing that it did, and ends with a stack trace at the first that fails.
 */
final class Check {
    private Check() {}

    public static void main(String[] arguments) throws Exception {
        check(arguments[0], arguments);
        check(arguments[0] + "/index.php", arguments);
    }

    private static void check(String base, String[] arguments) throws Exception {
        Client client = new Client("/cms/v2", base, arguments[1], arguments[2], false, false);

        Post post = client.createPost(post("By Java", "One"), PostStatus.publish);
        expect("By Java", post.getTitle().getRendered());
        expect("publish", post.getStatus());
        expect("By Java", client.getPost(post.getId()).getTitle().getRendered());
        done("writes a post and reads it");

        post.setContent(ContentBuilder.aContent().withRendered("Two").build());
        client.updatePost(post);
        expect("<p>Two</p>", client.getPost(post.getId()).getContent().getRendered().strip());
        expect("Three", client.updatePostField(post.getId(), "title", "Three").getTitle().getRendered());
        done("changes it, whole and by a single field");

        Media file = client.createMedia(
                MediaBuilder.aMedia()
                        .withTitle(TitleBuilder.aTitle().withRendered("A picture").build())
                        .withAltText("One dot")
                        .withPost(post.getId())
                        .build(),
                new FileSystemResource(Path.of(arguments[3]).toFile()));
        expect("One dot", client.getMedia(file.getId()).getAltText());
        expect(file.getId(), client.setPostFeaturedMedia(post.getId(), file).getFeaturedMedia());
        expect(1, client.getPostMedias(post.getId()).size());
        done("uploads a picture and lets it stand for the post");

        PagedResponse<Post> first = client.getPagedResponse("/posts", Post.class);
        expect(true, first.hasNext());
        PagedResponse<Post> second = client.traverse(first, PagedResponse.NEXT);
        expect(false, second.getList().get(0).getId().equals(first.getList().get(0).getId()));
        PagedResponse<Post> again = client.traverse(second, PagedResponse.PREV);
        expect(first.getList().get(0).getId(), again.getList().get(0).getId());
        done("turns the pages of a list, onwards and back");

        Term tag = client.createTag(TermBuilder.aTerm().withName("By Java").build());
        expect("by-java", client.getTag(tag.getId()).getSlug());
        client.updatePostField(post.getId(), "tags", List.of(tag.getId()));
        expect(1, client.getPostTags(post).size());
        client.deleteTag(tag, true);
        expect(true, client.getTaxonomies().size() >= 2);
        expect(true, client.getCategories().stream().anyMatch(category -> category.getSlug().equals("news")));
        done("makes a tag, gives it to the post and deletes it");

        expect(true, client.getUsers("edit").stream().map(User::getName).anyMatch("Site Admin"::equals));
        done("lists accounts");

        expect(true, client.deleteMedia(file, true));
        client.deletePost(post);
        expect("trash", client.getPost(post.getId(), "edit").getStatus());
        client.doCustomExchange(
                "/posts/{id}",
                HttpMethod.DELETE,
                String.class,
                new Object[] {post.getId()},
                Map.of("force", "true"),
                null,
                null);
        done("deletes what it made");

        try {
            client.getPost(post.getId());
            throw new AssertionError("a post that is not there was found");
        } catch (PostNotFoundException e) {
            done("is told what is not there");
        }
    }

    private static Post post(String title, String content) {
        return PostBuilder.aPost()
                .withTitle(TitleBuilder.aTitle().withRendered(title).build())
                .withContent(ContentBuilder.aContent().withRendered(content).build())
                .build();
    }

    private static void expect(Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionError("expected " + expected + ", was " + actual);
        }
    }

    private static void done(String what) {
        System.out.println("passed: the Java client " + what);
    }
}
