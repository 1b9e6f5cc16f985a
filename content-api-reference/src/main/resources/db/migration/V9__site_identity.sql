-- Which data directory the content belongs to, and under which key credentials are stored: uploads and passwords of another site are never taken
-- for this one's.
create table site_identity (
    name varchar(32) primary key,
    mark varchar(64) not null
);
