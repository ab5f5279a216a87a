-- Nothing is unmeasured in these partitions as of these moments, if their epochs and offsets hold.
create or replace function heartbeat(p_partitions jsonb) returns void language sql as $$
  update checkpoints c
  set idle_at = greatest(c.idle_at, h.at), ran = greatest(c.ran, h.ran)
  from jsonb_to_recordset(p_partitions)
    h (partition integer, epoch bigint, next_offset bigint, at timestamptz, ran bigint)
  where (c.partition, c.epoch, c.next_offset) = (h.partition, h.epoch, h.next_offset)
$$;
