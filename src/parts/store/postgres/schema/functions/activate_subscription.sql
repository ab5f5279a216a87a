-- A subscription begins: its row, the routes of its customer, and the first credits of its
-- accounts, or nothing, if the clock is not the one that it was decided under (`clock_ahead`).
-- Subscriptions (by their customer's row) before accounts: the order of locks [machines#writers].
create or replace function activate_subscription(p_subscription jsonb, p_changes jsonb)
returns void language plpgsql as $$
begin
  if (p_subscription ->> 'clock_ahead')::bigint is distinct from clock_ahead(
      p_subscription ->> 'business_id', p_subscription ->> 'mode') then
    raise exception 'the clock changed meanwhile' using errcode = 'SL001';
  end if;

  update customers
  set routes_version = routes_version + 1
  where (business_id, mode, customer_id) = (
    p_subscription ->> 'business_id', p_subscription ->> 'mode', p_subscription ->> 'customer_id');

  insert into subscriptions
  select * from jsonb_populate_record(null::subscriptions, p_subscription);

  perform save_all_accounts(p_changes);
end $$;
