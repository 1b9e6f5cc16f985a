-- The origins whose pages may call the widget of a workspace.
create table widget_origin (
    workspace_id varchar(64)  not null references sync_workspace (id) on delete cascade,
    origin       varchar(300) not null,
    primary key (workspace_id, origin)
);
create index widget_origin_origin on widget_origin (origin);
