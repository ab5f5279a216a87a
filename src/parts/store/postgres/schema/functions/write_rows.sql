-- Writes the rows of a change, which standing_rows() has locked and compared: each noun by the one
-- function that writes it, and a noun before those that refer to it. Answers false where another
-- transaction has made one of the new subscriptions or invoices since, or has put a product of a
-- collection into another, or where a brand is archived that holds something, without a brand to
-- take it.
create or replace function write_rows(p_rows jsonb) returns boolean language plpgsql as $$
declare
  v_unknown jsonb := p_rows - array['addon', 'api_key', 'balance_entry', 'brand', 'business',
    'checkout_session', 'collection', 'credit_entitlement', 'customer', 'discount',
    'discount_customer', 'discount_use', 'dispute', 'entitlement_grant', 'fee_table', 'file',
    'invoice', 'license_key', 'license_key_instance', 'localized_price', 'meter', 'payment',
    'payment_method', 'payout', 'processor_news', 'product', 'product_entitlement', 'refund',
    'short_link', 'subscription', 'tax_table', 'user', 'wallet', 'webhook_endpoint'];
begin
  if v_unknown <> '{}' then
    raise exception 'nothing writes such rows: %', array(select jsonb_object_keys(v_unknown));
  end if;

  if p_rows ? 'business' then perform write_businesses(p_rows -> 'business'); end if;
  if p_rows ? 'api_key' then perform write_api_keys(p_rows -> 'api_key'); end if;
  if p_rows ? 'user' then perform write_users(p_rows -> 'user'); end if;
  if p_rows ? 'webhook_endpoint' then
    perform write_webhook_endpoints(p_rows -> 'webhook_endpoint');
  end if;
  if p_rows ? 'credit_entitlement' then
    perform write_credit_entitlements(p_rows -> 'credit_entitlement');
  end if;
  if p_rows ? 'meter' then perform write_meters(p_rows -> 'meter'); end if;
  if p_rows ? 'file' then perform write_files(p_rows -> 'file'); end if;
  if p_rows ? 'product_entitlement' then
    perform write_product_entitlements(p_rows -> 'product_entitlement');
  end if;
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
  if p_rows ? 'entitlement_grant' then
    perform write_entitlement_grants(p_rows -> 'entitlement_grant');
  end if;
  if p_rows ? 'license_key' then perform write_license_keys(p_rows -> 'license_key'); end if;
  if p_rows ? 'license_key_instance' then
    perform write_license_key_instances(p_rows -> 'license_key_instance');
  end if;
  if p_rows ? 'payment' then perform write_payments(p_rows -> 'payment'); end if;
  if p_rows ? 'dispute' then perform write_disputes(p_rows -> 'dispute'); end if;
  if p_rows ? 'payout' then perform write_payouts(p_rows -> 'payout'); end if;
  if p_rows ? 'refund' then perform write_refunds(p_rows -> 'refund'); end if;
  if p_rows ? 'payment_method' then
    perform write_payment_methods(p_rows -> 'payment_method');
  end if;
  if p_rows ? 'processor_news' then
    perform write_processor_news(p_rows -> 'processor_news');
  end if;
  if p_rows ? 'invoice' and not write_invoices(p_rows -> 'invoice') then return false; end if;
  if p_rows ? 'subscription' and not write_subscriptions(p_rows -> 'subscription') then
    return false;
  end if;
  -- Last: everything that books waits for the lock of its balance.
  if p_rows ? 'balance_entry' then
    perform write_balance_entries(p_rows -> 'balance_entry');
  end if;
  return true;
end $$;
