-- The time that the processes believe: what they told last, and what this server's own clock says
-- has passed since, a minute at most. A step of that clock moves it by no more. [guarantees#clocks]
create or replace function believed_now() returns timestamptz language sql stable as $$
  select coalesce(
    (select at + least(greatest(now() - told_at, interval '0'), interval '1 minute')
     from believed_time),
    now())
$$;
