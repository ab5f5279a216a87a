-- Alone writes add-ons, which standing_rows() has locked and compared.
create or replace function write_addons(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into addons (business_id, mode, addon_id, name, description, price, currency, tax_category,
    image_id, created_at, updated_at)
  select n.business_id, n.mode, n.addon_id, n.name, n.description, n.price, n.currency,
    n.tax_category, n.image_id, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::addons, p_rows) n
  order by n.business_id, n.mode, n.addon_id
  on conflict (business_id, mode, addon_id) do update set
    name = excluded.name, description = excluded.description, price = excluded.price,
    currency = excluded.currency, tax_category = excluded.tax_category,
    image_id = excluded.image_id, updated_at = excluded.updated_at;
end $$;
