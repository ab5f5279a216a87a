-- Alone writes localized prices, which standing_rows() has locked and compared, and with them their
-- product, which stands in the same change.
create or replace function write_localized_prices(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into localized_prices (business_id, mode, localized_price_id, product_id, pricing,
    currency, country_code, amount, archived_at, created_at, updated_at)
  select n.business_id, n.mode, n.localized_price_id, n.product_id, n.pricing, n.currency,
    n.country_code, n.amount, n.archived_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::localized_prices, p_rows) n
  order by n.business_id, n.mode, n.localized_price_id
  on conflict (business_id, mode, localized_price_id) do update set
    amount = excluded.amount, archived_at = excluded.archived_at,
    updated_at = excluded.updated_at;
end $$;
