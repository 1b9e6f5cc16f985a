-- What each transaction changed of what others keep answers of, beside the first of its items: servers forget by it what another one changed.
alter table item_change add column server varchar(36);
alter table item_change add column parts varchar(1000);
