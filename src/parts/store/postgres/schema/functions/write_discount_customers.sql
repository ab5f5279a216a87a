-- The one place that writes whom a discount is open to. Attaching the attached and detaching the
-- detached change nothing, so nothing is compared.
create or replace function write_discount_customers(p_rows jsonb) returns void
language plpgsql as $$
begin
  insert into discount_customers (business_id, mode, discount_id, customer_id, attached_at)
  select n.business_id, n.mode, n.discount_id, n.customer_id, n.attached_at
  from jsonb_to_recordset(p_rows) n (business_id text, mode text, discount_id text,
    customer_id text, attached_at timestamptz, detached boolean)
  where not n.detached
  order by n.business_id, n.mode, n.discount_id, n.customer_id
  on conflict do nothing;

  delete from discount_customers c
  using jsonb_to_recordset(p_rows) n (business_id text, mode text, discount_id text,
    customer_id text, detached boolean)
  where n.detached and (c.business_id, c.mode, c.discount_id, c.customer_id)
    = (n.business_id, n.mode, n.discount_id, n.customer_id);
end $$;
