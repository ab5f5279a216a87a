-- 0007: An event log may go on where another one ended, after a move onto other servers.
-- {"starts": [{"stored", "offset"}, …] by partition, "formerly": [identity, …]}, as
-- parts/event-log/port.ts says; null: the log has been the same one from its first record.
alter table installation add column log_origin jsonb;
