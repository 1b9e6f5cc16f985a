-- Which items there are, without their texts. Looking for an id that is not there reads the page of the table where it would be, and H2 keeps no
-- page in memory that holds a megabyte of text: a thousand such ids would read that page a thousand times.
create index item_known on item (id, kind);
