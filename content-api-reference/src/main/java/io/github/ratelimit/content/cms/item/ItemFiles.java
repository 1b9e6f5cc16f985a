package io.github.ratelimit.content.cms.item;

/** What items have outside of the database. Whoever keeps it provides it. Safe for concurrent use. */
public interface ItemFiles {
    /**
     * Finds the files of an item that is about to be deleted.
     *
     * @param id of any item; most have none
     * @return removes them, to be run when the item is gone for good; what cannot be removed then is found later
     */
    Runnable removal(long id);
}
