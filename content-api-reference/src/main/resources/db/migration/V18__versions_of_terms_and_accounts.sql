-- Grow with each write that somebody wished, as that of an item does: who names the one that was read overwrites no other.
alter table term add column version bigint default 0 not null;
alter table account add column version bigint default 0 not null;
alter table application_password add column version bigint default 0 not null;
