-- Explanations say what measuring did with an event, not what it would do today. Triggers, since
-- whoever changes a stretch must not be able to forget it.
create or replace function remember_routing() returns trigger language plpgsql as $$
declare
  v_row jsonb := to_jsonb(new);
begin
  insert into routing_history (business_id, mode, kind, subject_id, customer_id, measured, state)
  values (
    new.business_id, new.mode, tg_argv[0], v_row ->> tg_argv[1], v_row ->> 'customer_id',
    coalesce((select jsonb_object_agg(c.partition, c.next_offset) from checkpoints c), '{}'),
    jsonb_build_object(
      'stretches', case when v_row ->> 'deleted_at' is null then v_row -> 'stretches' end,
      'activated_at', v_row -> 'activated_at', 'ended', v_row -> 'ended',
      'pauses', v_row -> 'pauses'));
  return null;
end $$;

create or replace trigger remember_meter after insert on meters
  for each row execute function remember_routing('meter', 'meter_id');

create or replace trigger remember_links after insert on credit_entitlements
  for each row when (new.stretches <> '[]')
  execute function remember_routing('links', 'credit_entitlement_id');

create or replace trigger remember_links_changed after update on credit_entitlements
  for each row when (
    (new.stretches, new.deleted_at) is distinct from (old.stretches, old.deleted_at))
  execute function remember_routing('links', 'credit_entitlement_id');

create or replace trigger remember_subscription after insert on subscriptions
  for each row when (new.activated_at is not null)
  execute function remember_routing('subscription', 'subscription_id');

create or replace trigger remember_subscription_changed after update on subscriptions
  for each row when (
    (new.stretches, new.activated_at, new.ended, new.pauses)
    is distinct from (old.stretches, old.activated_at, old.ended, old.pauses))
  execute function remember_routing('subscription', 'subscription_id');
