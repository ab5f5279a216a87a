-- What decides which usage a subscription takes.
create or replace function route_of(s subscriptions) returns jsonb language sql stable as $$
  select jsonb_build_object(
    'activated_at', s.activated_at, 'ended', s.ended, 'pauses', s.pauses,
    'stretches', s.stretches)
$$;
