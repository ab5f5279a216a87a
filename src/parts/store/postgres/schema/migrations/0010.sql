-- 0010: What a trace goes on with in another process: the usage of an account, a message.
-- Written only for what is traced; rows go after an hour, and nothing depends on them.
create table trace_links (
  subject text primary key,
  traceparent text not null,
  at timestamptz not null default now()
);
create index trace_links_by_age on trace_links (at);
