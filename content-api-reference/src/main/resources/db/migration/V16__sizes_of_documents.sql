-- How long a page of documents is, is asked before it is read; how much a workspace keeps, as before.
create index sync_document_sizes on sync_document (workspace_id, id, updated_at, size);
drop index sync_document_size;
