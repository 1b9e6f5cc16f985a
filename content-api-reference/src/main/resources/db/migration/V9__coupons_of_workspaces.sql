-- A coupon belongs to the site that grants it. The three that every server had from its first start belonged to nobody.
create table workspace_coupon (
    workspace_id  varchar(64)              not null references sync_workspace (id) on delete cascade,
    code          varchar(64)              not null,
    description   varchar(200)             not null,
    discount_type varchar(10)              not null,
    -- Per cent, or hundredths of the currency's unit.
    amount        integer                  not null,
    currency      char(3),
    expires_at    timestamp with time zone,
    created_at    timestamp with time zone not null,
    updated_at    timestamp with time zone not null,
    primary key (workspace_id, code)
);

-- What was granted, as it was then: the coupon may be another tomorrow.
create table workspace_coupon_application (
    id              uuid                     not null primary key,
    workspace_id    varchar(64)              not null references sync_workspace (id) on delete cascade,
    conversation_id uuid                     references widget_conversation (id) on delete cascade,
    code            varchar(64)              not null,
    description     varchar(200)             not null,
    discount_type   varchar(10)              not null,
    amount          integer                  not null,
    currency        char(3),
    expires_at      timestamp with time zone,
    applied_at      timestamp with time zone not null
);
create index workspace_coupon_application_workspace on workspace_coupon_application (workspace_id, applied_at);
create index workspace_coupon_application_conversation on workspace_coupon_application (conversation_id);

insert into workspace_coupon_application
    select a.id, a.workspace_id, a.conversation_id, c.code, c.description, c.discount_type, c.amount, c.currency,
           c.expires_at, a.applied_at
    from widget_coupon_application a join widget_coupon c on c.code = a.code
    where a.workspace_id is not null;

drop table widget_coupon_application;
drop table widget_coupon;

-- What a visitor is erased by.
create index widget_rating_conversation on widget_rating (conversation_id);
