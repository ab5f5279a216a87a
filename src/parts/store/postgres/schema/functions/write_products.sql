-- Alone writes products, which standing_rows() has locked and compared. What an archive of their
-- brand makes of them is move_brand()'s.
create or replace function write_products(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into products (business_id, mode, product_id, brand_id, name, description, tax_category,
    price, credit_entitlements, addons, pricing_mode, metadata, license, entitlements,
    delivery_entitlement_id, image_id, archived_at, created_at, updated_at)
  select n.business_id, n.mode, n.product_id, n.brand_id, n.name, n.description, n.tax_category,
    n.price, n.credit_entitlements, n.addons, n.pricing_mode, n.metadata, n.license, n.entitlements,
    n.delivery_entitlement_id, n.image_id, n.archived_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::products, p_rows) n
  order by n.business_id, n.mode, n.product_id
  on conflict (business_id, mode, product_id) do update set
    brand_id = excluded.brand_id, name = excluded.name, description = excluded.description,
    tax_category = excluded.tax_category, price = excluded.price,
    credit_entitlements = excluded.credit_entitlements, addons = excluded.addons,
    pricing_mode = excluded.pricing_mode, metadata = excluded.metadata,
    license = excluded.license, entitlements = excluded.entitlements,
    delivery_entitlement_id = excluded.delivery_entitlement_id, image_id = excluded.image_id,
    archived_at = excluded.archived_at,
    updated_at = excluded.updated_at;
end $$;
