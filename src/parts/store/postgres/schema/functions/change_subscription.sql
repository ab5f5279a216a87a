-- A subscription changes (a cycle ends and the next one begins, a plan, a pause, an end): the whole
-- row, if its version still is the one before and the clock the one that it was decided under
-- (`clock_ahead`), and all of its accounts. Measuring reloads its routes when what decides them
-- moved.
create or replace function change_subscription(p_subscription jsonb, p_changes jsonb)
returns void language plpgsql as $$
declare
  v_new subscriptions := jsonb_populate_record(null::subscriptions, p_subscription);
  v_old subscriptions;
begin
  if (p_subscription ->> 'clock_ahead')::bigint is distinct from clock_ahead(
      p_subscription ->> 'business_id', p_subscription ->> 'mode') then
    raise exception 'the clock changed meanwhile' using errcode = 'SL001';
  end if;

  select * into v_old from subscriptions s
  where (s.business_id, s.mode, s.subscription_id)
      = (v_new.business_id, v_new.mode, v_new.subscription_id)
    and s.version = v_new.version - 1
  for update;
  if not found then
    raise exception 'the subscription changed meanwhile' using errcode = 'SL001';
  end if;

  update subscriptions s
  set product_id = v_new.product_id, brand_id = v_new.brand_id, status = v_new.status,
    quantity = v_new.quantity, currency = v_new.currency,
    recurring_pre_tax_amount = v_new.recurring_pre_tax_amount, billing = v_new.billing,
    metadata = v_new.metadata, details = v_new.details, stretches = v_new.stretches,
    credit_cart = v_new.credit_cart, ended = v_new.ended, pauses = v_new.pauses,
    previous_billing_date = v_new.previous_billing_date,
    next_billing_date = v_new.next_billing_date, expires_at = v_new.expires_at,
    cancelled_at = v_new.cancelled_at, version = v_new.version, updated_at = v_new.updated_at
  where (s.business_id, s.mode, s.subscription_id)
    = (v_new.business_id, v_new.mode, v_new.subscription_id);

  if (v_new.stretches, v_new.ended, v_new.pauses)
      is distinct from (v_old.stretches, v_old.ended, v_old.pauses) then
    update customers set routes_version = routes_version + 1
    where (business_id, mode, customer_id)
      = (v_old.business_id, v_old.mode, v_old.customer_id);
  end if;

  perform save_all_accounts(p_changes);
end $$;
