-- The revisions of an item are looked for by what kept them, which their slug says: the newest one is found, and the oldest
-- ones are thrown away, without reading the texts of any.
drop index item_parent;
create index item_parent on item (parent_id, kind, slug, id);
