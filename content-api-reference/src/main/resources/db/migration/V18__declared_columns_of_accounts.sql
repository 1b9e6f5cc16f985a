-- As each column that a member is stored in: a row is whole whoever writes it, also without a word on the member.
alter table account alter column display_name set default '';
alter table account alter column first_name set default '';
alter table account alter column last_name set default '';
alter table account alter column nickname set default '';
alter table account alter column url set default '';
alter table account alter column description set default '';
alter table account alter column locale set default '';
