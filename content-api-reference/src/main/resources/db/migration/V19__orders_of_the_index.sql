-- The index of items answers these orders and filters; whoever writes an item paid for them as well, a third of what publishing costs. For the seconds
-- until that index is filled after a start, the database reads all of a status instead.
drop index item_modified;
drop index item_titled;
drop index item_slugged;
drop index item_written;
drop index item_placed;
drop index item_format;
drop index item_typed;
