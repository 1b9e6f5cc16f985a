-- Characters of what was left in a conversation, with an allowance for each row: its bound is checked without reading any.
alter table widget_conversation add column size bigint default 0 not null;
