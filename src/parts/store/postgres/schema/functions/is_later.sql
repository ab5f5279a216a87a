-- The order of the aggregation `last`: by timestamp, then receipt, then id, then value, so that it
-- is total.
create or replace function is_later(known usage, candidate usage) returns boolean
language sql immutable as $$
  select candidate.last_at is not null and (known.last_at is null or
    (candidate.last_at, candidate.last_received, candidate.last_event_id, candidate.value)
    > (known.last_at, known.last_received, known.last_event_id, known.value))
$$;
