-- How far the clock of a business's mode runs ahead of real time, in microseconds. A command that
-- was decided before that clock moved is not written: its entries would lie in the past of what has
-- happened since. [subscriptions#the-time-of-a-command]
create or replace function clock_ahead(p_business_id text, p_mode text) returns bigint
language sql stable as $$
  select b.clock_ahead_us from business_modes b
  where (b.business_id, b.mode) = (p_business_id, p_mode)
$$;
