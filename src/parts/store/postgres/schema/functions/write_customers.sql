-- Alone writes customers, which standing_rows() has locked and compared; but for `routes_version`,
-- which write_subscriptions() moves.
create or replace function write_customers(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into customers (business_id, mode, customer_id, email, name, phone_number, metadata,
    created_at, updated_at)
  select n.business_id, n.mode, n.customer_id, n.email, n.name, n.phone_number, n.metadata,
    n.created_at, n.updated_at
  from jsonb_populate_recordset(null::customers, p_rows) n
  order by n.business_id, n.mode, n.customer_id
  on conflict (business_id, mode, customer_id) do update set
    email = excluded.email, name = excluded.name, phone_number = excluded.phone_number,
    metadata = excluded.metadata, updated_at = excluded.updated_at;
end $$;
