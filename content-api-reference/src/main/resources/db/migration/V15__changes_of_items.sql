-- Which items changed, in the order of the transactions that changed them: what is made of items outside of the database
-- follows by it. Whoever writes counts up last and holds the row until the end, so that no number is seen before a smaller
-- one.
create table item_revision (
  id smallint not null primary key,
  revision bigint not null
);

insert into item_revision (id, revision) values (1, 0);

create table item_change (
  revision bigint not null,
  item_id bigint not null,
  primary key (revision, item_id)
);
