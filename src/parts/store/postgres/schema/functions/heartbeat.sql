-- Notes for each partition the moment up to which everything in it is measured, if its epoch and
-- offset are still those of the caller. A time in the checkpoint that is more than an hour ahead of
-- that moment was written by a wrong clock, and is set back to it.
create or replace function heartbeat(p_partitions jsonb) returns void language sql as $$
  update checkpoints c
  set idle_at = case when c.idle_at > h.at + interval '1 hour' then h.at
      else greatest(c.idle_at, h.at) end,
    log_at = case when c.log_at > h.at + interval '1 hour' then h.at else c.log_at end,
    ran = greatest(c.ran, h.ran)
  from jsonb_to_recordset(p_partitions)
    h (partition integer, epoch bigint, next_offset bigint, at timestamptz, ran bigint)
  where (c.partition, c.epoch, c.next_offset) = (h.partition, h.epoch, h.next_offset)
$$;
