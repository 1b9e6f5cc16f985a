-- Holds a row from the moment that the demonstration site was filled: what is thrown away does not come back.
create table demo_site (
    id        integer                  not null primary key,
    filled_at timestamp with time zone not null
);
