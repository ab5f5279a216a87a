-- 0004: How old the events may be that a key sends; keys from before send none older than an hour.
alter table api_keys add column backfill_us bigint not null default 0;
