-- The one place that writes disputes, behind standing_rows(). What is disputed is never changed.
create or replace function write_disputes(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into disputes (business_id, mode, dispute_id, payment_id, brand_id, customer_id, status,
    stage, currency, amount, resolved_rapidly, reason, remarks, answer_by, version, created_at,
    updated_at)
  select n.business_id, n.mode, n.dispute_id, n.payment_id, n.brand_id, n.customer_id, n.status,
    n.stage, n.currency, n.amount, n.resolved_rapidly, n.reason, n.remarks, n.answer_by, n.version,
    n.created_at, n.updated_at
  from jsonb_populate_recordset(null::disputes, p_rows) n
  order by n.dispute_id
  on conflict (dispute_id) do update set
    status = excluded.status, remarks = excluded.remarks,
    version = drawn_version(excluded.version), updated_at = excluded.updated_at;
end $$;
