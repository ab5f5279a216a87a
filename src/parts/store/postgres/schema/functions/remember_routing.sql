-- Keeps what measuring works with from now on, so that an explanation can say what measuring did
-- with an event, not what it would do today. It is a trigger, so that no statement that changes a
-- stretch can forget it.
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
