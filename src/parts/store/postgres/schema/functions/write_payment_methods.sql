-- The one place that writes saved payment methods, behind standing_rows(). Whose they are, and what
-- they charge, is never changed.
create or replace function write_payment_methods(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into payment_methods (business_id, mode, payment_method_id, customer_id, document,
    last_used_at, deleted_at, version, created_at)
  select n.business_id, n.mode, n.payment_method_id, n.customer_id, n.document,
    n.last_used_at, n.deleted_at, n.version, n.created_at
  from jsonb_populate_recordset(null::payment_methods, p_rows) n
  order by n.payment_method_id
  on conflict (payment_method_id) do update set
    last_used_at = excluded.last_used_at, deleted_at = excluded.deleted_at,
    version = drawn_version(excluded.version);
end $$;
