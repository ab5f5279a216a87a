-- The one place that writes payments, behind standing_rows(). Who pays is never changed; what is
-- paid, and from where, stands when the first attempt is made.
create or replace function write_payments(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into payments (business_id, mode, payment_id, brand_id, customer_id, subscription_id,
    session_id, status, currency, total_amount, tax, product_ids, billing, metadata, document,
    paid_at, refund_status, dispute_status, version, created_at, updated_at)
  select n.business_id, n.mode, n.payment_id, n.brand_id, n.customer_id, n.subscription_id,
    n.session_id, n.status, n.currency, n.total_amount, n.tax, n.product_ids, n.billing, n.metadata,
    n.document, n.paid_at, n.refund_status, n.dispute_status, n.version, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::payments, p_rows) n
  order by n.payment_id
  on conflict (payment_id) do update set
    subscription_id = excluded.subscription_id, status = excluded.status,
    total_amount = excluded.total_amount, tax = excluded.tax, billing = excluded.billing,
    document = excluded.document, paid_at = excluded.paid_at,
    refund_status = excluded.refund_status, dispute_status = excluded.dispute_status,
    version = drawn_version(excluded.version), updated_at = excluded.updated_at;
end $$;
