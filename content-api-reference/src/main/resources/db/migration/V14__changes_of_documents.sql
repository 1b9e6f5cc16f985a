-- Which documents changed, by the revision of their workspace: an index that shows an older one reads these, and no others.
create table sync_change (
    workspace_id varchar(64)  not null references sync_workspace (id) on delete cascade,
    revision     bigint       not null,
    document_id  varchar(191) not null,
    primary key (workspace_id, revision, document_id)
);
