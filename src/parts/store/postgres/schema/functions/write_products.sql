-- Alone writes products, which standing_rows() has locked and compared. They never change.
create or replace function write_products(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into products (business_id, mode, product_id, brand_id, name, description, tax_category,
    price, credit_entitlements, metadata, archived_at, created_at, updated_at)
  select n.business_id, n.mode, n.product_id, n.brand_id, n.name, n.description, n.tax_category,
    n.price, n.credit_entitlements, n.metadata, n.archived_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::products, p_rows) n
  order by n.business_id, n.mode, n.product_id;
end $$;
