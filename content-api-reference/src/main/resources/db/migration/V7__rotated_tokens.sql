-- A rotated token keeps its id, which limits are counted by: a new secret is no new budget.
alter table sync_workspace_token add column token_id varchar(36);
update sync_workspace_token set token_id = id;
alter table sync_workspace_token alter column token_id set not null;
-- From then on the secret opens nothing; null while it has no end.
alter table sync_workspace_token add column expires_at timestamp with time zone;
-- A configured secret is kept behind its end: otherwise the next start would accept it anew.
alter table sync_workspace_token add column configured boolean default true not null;
create index sync_workspace_token_workspace on sync_workspace_token (workspace_id, token_id);

-- Which documents changed since.
create index sync_document_updated on sync_document (workspace_id, updated_at);
