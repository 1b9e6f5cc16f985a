-- Of items in the same place the newest comes first.
drop index item_placed;
create index item_placed on item (kind, status, menu_order, id desc);
