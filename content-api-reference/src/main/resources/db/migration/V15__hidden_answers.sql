-- Of a kept answer: the page that asked may not read it, as its origin is not one of the workspace that the body named.
alter table repeated_request add column hidden boolean default false not null;
