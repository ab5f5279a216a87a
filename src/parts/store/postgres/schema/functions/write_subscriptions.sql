-- Alone writes subscriptions, which standing_rows() has locked and compared. Answers false where
-- another transaction has made one of the new ones since. A customer's routes_version moves with
-- what decides which usage a subscription takes: measuring then reloads the routes. Stretches that
-- are `over` are kept in old_stretches. A new subscription is of the brand that its product is of as
-- it is written.
create or replace function write_subscriptions(p_rows jsonb) returns boolean
language plpgsql as $$
declare
  v_written bigint;
begin
  update customers c set routes_version = c.routes_version + 1,
    routes_stamp = floor(random() * 2 ^ 52)
  from (
    select l.business_id, l.mode, l.customer_id from customers l
    where (l.business_id, l.mode, l.customer_id) in (
      select n.business_id, n.mode, n.customer_id
      from jsonb_populate_recordset(null::subscriptions, p_rows) n
      left join subscriptions s using (business_id, mode, subscription_id)
      where (n.stretches, n.ended, n.pauses) is distinct from (s.stretches, s.ended, s.pauses))
    order by l.business_id, l.mode, l.customer_id for no key update) moved
  where (c.business_id, c.mode, c.customer_id)
    = (moved.business_id, moved.mode, moved.customer_id);

  insert into subscriptions as s (business_id, mode, subscription_id, customer_id, product_id,
    brand_id, status, quantity, currency, recurring_pre_tax_amount, payment_id, billing, metadata,
    details, stretches, credit_cart, trial_period_days, activated_at, ended, pauses,
    previous_billing_date, next_billing_date, expires_at, cancelled_at, version, created_at,
    updated_at, payment_method_id, retry_at)
  select n.business_id, n.mode, n.subscription_id, n.customer_id, n.product_id,
    coalesce(p.brand_id, n.brand_id), n.status, n.quantity, n.currency, n.recurring_pre_tax_amount,
    n.payment_id, n.billing, n.metadata, n.details, n.stretches, n.credit_cart, n.trial_period_days,
    n.activated_at, n.ended, n.pauses, n.previous_billing_date, n.next_billing_date, n.expires_at,
    n.cancelled_at, n.version, n.created_at, n.updated_at, n.payment_method_id, n.retry_at
  from jsonb_populate_recordset(null::subscriptions, p_rows) n
  left join products p on n.version = 1
    and (p.business_id, p.mode, p.product_id) = (n.business_id, n.mode, n.product_id)
  order by n.business_id, n.mode, n.subscription_id
  on conflict (business_id, mode, subscription_id) do update set
    product_id = excluded.product_id, brand_id = excluded.brand_id, status = excluded.status,
    quantity = excluded.quantity, currency = excluded.currency,
    activated_at = excluded.activated_at, trial_period_days = excluded.trial_period_days,
    recurring_pre_tax_amount = excluded.recurring_pre_tax_amount, billing = excluded.billing,
    metadata = excluded.metadata, details = excluded.details, stretches = excluded.stretches,
    credit_cart = excluded.credit_cart, ended = excluded.ended, pauses = excluded.pauses,
    previous_billing_date = excluded.previous_billing_date,
    next_billing_date = excluded.next_billing_date, expires_at = excluded.expires_at,
    cancelled_at = excluded.cancelled_at, version = drawn_version(excluded.version),
    updated_at = excluded.updated_at, payment_method_id = excluded.payment_method_id,
    retry_at = excluded.retry_at
  where s.version = excluded.version - 1;
  get diagnostics v_written = row_count;

  insert into old_stretches (business_id, mode, subscription_id, from_at, stretch)
  select n.business_id, n.mode, n.subscription_id, o.from_at, o.stretch
  from jsonb_to_recordset(p_rows)
      n (business_id text, mode text, subscription_id text, over jsonb),
    jsonb_to_recordset(n.over) o (from_at timestamptz, stretch jsonb)
  on conflict do nothing;

  return v_written = jsonb_array_length(p_rows);
end $$;
