-- Counts the commits that change public content: what a server keeps is valid for one number.
create table content_generation (
    id     smallint not null primary key,
    number bigint   not null
);

insert into content_generation (id, number) values (1, 1);
