-- Nothing is unmeasured in these partitions as of these moments, if their epochs and offsets hold.
-- Moments more than an hour ahead of that were of clocks that were wrong, and are taken back.
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
