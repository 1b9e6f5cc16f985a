-- All that says who may do what with an item, without its texts: H2 reads a row as a whole, and a text of a megabyte takes milliseconds, so a
-- refusal would tell how long what it refuses is.
drop index item_known;
create index item_known on item (id, kind, status, author_id, parent_id, password, trashed_status);
