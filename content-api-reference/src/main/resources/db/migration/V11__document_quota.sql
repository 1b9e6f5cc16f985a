-- How much a workspace keeps is counted without reading it, and so is whether a document changed.
alter table sync_document add column size integer default 0 not null;
update sync_document set size = char_length(title) + char_length(content) + coalesce(char_length(url), 0);
-- Null in what was stored before: it is compared as a whole once.
alter table sync_document add column fingerprint varchar(64);
create index sync_document_size on sync_document (workspace_id, size);
