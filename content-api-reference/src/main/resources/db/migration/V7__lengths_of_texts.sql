-- Characters of an item's texts. They are beside the item: to read a text takes time and memory that tell of its length.
alter table item add column content_length bigint default 0 not null;
-- Of title, excerpt and footnotes as they are read.
alter table item add column beside_length bigint default 0 not null;
-- Of title, content and excerpt as they were written.
alter table item add column written_length bigint default 0 not null;

update item set
  content_length = coalesce((select char_length(content_rendered) from item_text where item_id = id), 0),
  beside_length = coalesce((select char_length(title_rendered) + char_length(excerpt_rendered) + char_length(footnotes)
    from item_text where item_id = id), 0),
  written_length = coalesce((select char_length(title) + char_length(content) + char_length(excerpt)
    from item_text where item_id = id), 0);
