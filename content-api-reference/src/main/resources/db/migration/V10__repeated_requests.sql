-- What was answered to requests with an Idempotency-Key. Callers and keys are kept as digests only.
create table repeated_request (
    caller       char(64)                 not null,
    request_key  char(64)                 not null,
    -- Digest of path and body; null while the request is served.
    fingerprint  char(64),
    status       integer,
    content_type varchar(100),
    -- Deflated and encrypted: it may be a token.
    body         bytea,
    started_at   timestamp with time zone not null,
    primary key (caller, request_key)
);
create index repeated_request_caller on repeated_request (caller, started_at);
create index repeated_request_started on repeated_request (started_at);
