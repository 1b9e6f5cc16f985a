-- What only uploaded files have. One row with the rest of the item: a file and what is said about it come at once.
alter table item add column file varchar(300);
-- JSON: size in pixels and bytes, smaller pictures made of it, what a camera wrote into it.
alter table item add column file_details varchar(200000) default '' not null;
alter table item add column alt_text varchar(10000) default '' not null;
create unique index item_file on item (file);

-- A new site of this interface comes with three items of its own, and clients that were written against one know ids
-- behind these only. This site comes with none, and keeps their ids free.
alter table item alter column id restart with 4;
