-- The time that the processes agree to believe: what one of them wrote into believed_time last,
-- plus what this server's own clock says has passed since, a minute at most. So a clock that is set
-- wrong moves it by a minute at most. [guarantees#clocks]
create or replace function believed_now() returns timestamptz language sql stable as $$
  select coalesce(
    (select at + least(greatest(now() - told_at, interval '0'), interval '1 minute')
     from believed_time),
    now())
$$;
