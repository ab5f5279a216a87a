-- How far the clock of a business's mode runs ahead of real time. What was decided under another
-- clock is not written: it would lie in the past of what happened meanwhile
-- [subscriptions#the-time-of-a-command].
create or replace function clock_ahead(p_business_id text, p_mode text) returns bigint
language sql stable as $$
  select b.clock_ahead_us from business_modes b
  where (b.business_id, b.mode) = (p_business_id, p_mode)
$$;
