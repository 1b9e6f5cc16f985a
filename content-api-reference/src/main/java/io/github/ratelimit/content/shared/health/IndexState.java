package io.github.ratelimit.content.shared.health;

/** An index of content that lies in files, and may lack what the database has. Asked by any thread. */
public interface IndexState {
    /** How far it is. */
    enum State {
        /** It is being read from the database, which answers slowly meanwhile, or not at all. */
        FILLING,
        /** It shows what there is, or reads what it lacks when somebody asks. */
        SHOWN,
        /** Its files or the database fail, and it is made anew as soon as it can be; or something does that only a start mends. */
        FAILING
    }

    /**
     * Tells what it is an index of.
     *
     * @return one word
     */
    String indexName();

    /**
     * Tells how far it is.
     *
     * @return as it is now
     */
    State indexState();
}
