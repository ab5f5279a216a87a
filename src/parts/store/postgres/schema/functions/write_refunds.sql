-- The one place that writes refunds, behind standing_rows(). What is given back is never changed.
create or replace function write_refunds(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into refunds (business_id, mode, refund_id, payment_id, brand_id, customer_id,
    subscription_id, status, currency, amount, tax, lines, is_partial, reason, metadata, asked,
    version, created_at, updated_at)
  select n.business_id, n.mode, n.refund_id, n.payment_id, n.brand_id, n.customer_id,
    n.subscription_id, n.status, n.currency, n.amount, n.tax, n.lines, n.is_partial, n.reason,
    n.metadata, n.asked, n.version, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::refunds, p_rows) n
  order by n.refund_id
  on conflict (refund_id) do update set
    status = excluded.status, version = drawn_version(excluded.version),
    updated_at = excluded.updated_at;
end $$;
