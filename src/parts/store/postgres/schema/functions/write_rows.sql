-- Writes the rows of a change, which standing_rows() has locked and compared: each noun by the one
-- function that writes it, and a noun before those that refer to it. Answers false where another
-- transaction has made one of the new subscriptions since, or has put a product of a collection
-- into another, or where a brand is archived that holds something, without a brand to take it.
create or replace function write_rows(p_rows jsonb) returns boolean language plpgsql as $$
declare
  v_unknown jsonb := p_rows - array['addon', 'api_key', 'brand', 'business', 'checkout_session',
    'collection', 'credit_entitlement', 'customer', 'discount', 'discount_customer',
    'discount_use', 'fee_table', 'localized_price', 'meter', 'payment', 'processor_news',
    'product', 'short_link', 'subscription', 'tax_table', 'wallet', 'webhook_endpoint'];
begin
  if v_unknown <> '{}' then
    raise exception 'nothing writes such rows: %', array(select jsonb_object_keys(v_unknown));
  end if;

  if p_rows ? 'business' then perform write_businesses(p_rows -> 'business'); end if;
  if p_rows ? 'api_key' then perform write_api_keys(p_rows -> 'api_key'); end if;
  if p_rows ? 'webhook_endpoint' then
    perform write_webhook_endpoints(p_rows -> 'webhook_endpoint');
  end if;
  if p_rows ? 'credit_entitlement' then
    perform write_credit_entitlements(p_rows -> 'credit_entitlement');
  end if;
  if p_rows ? 'meter' then perform write_meters(p_rows -> 'meter'); end if;
  if p_rows ? 'brand' and not write_brands(p_rows -> 'brand') then return false; end if;
  if p_rows ? 'addon' then perform write_addons(p_rows -> 'addon'); end if;
  if p_rows ? 'product' then perform write_products(p_rows -> 'product'); end if;
  if p_rows ? 'discount' then perform write_discounts(p_rows -> 'discount'); end if;
  if p_rows ? 'localized_price' then
    perform write_localized_prices(p_rows -> 'localized_price');
  end if;
  if p_rows ? 'collection' and not write_collections(p_rows -> 'collection') then
    return false;
  end if;
  if p_rows ? 'short_link' then perform write_short_links(p_rows -> 'short_link'); end if;
  if p_rows ? 'customer' then perform write_customers(p_rows -> 'customer'); end if;
  if p_rows ? 'tax_table' then perform write_tax_tables(p_rows -> 'tax_table'); end if;
  if p_rows ? 'fee_table' then perform write_fee_tables(p_rows -> 'fee_table'); end if;
  if p_rows ? 'wallet' then perform write_wallets(p_rows -> 'wallet'); end if;
  if p_rows ? 'discount_customer' then
    perform write_discount_customers(p_rows -> 'discount_customer');
  end if;
  if p_rows ? 'discount_use' then
    perform write_discount_uses(p_rows -> 'discount_use');
  end if;
  if p_rows ? 'checkout_session' then
    perform write_checkout_sessions(p_rows -> 'checkout_session');
  end if;
  if p_rows ? 'payment' then perform write_payments(p_rows -> 'payment'); end if;
  if p_rows ? 'processor_news' then
    perform write_processor_news(p_rows -> 'processor_news');
  end if;
  return not p_rows ? 'subscription' or write_subscriptions(p_rows -> 'subscription');
end $$;
