-- Alone writes license keys, behind standing_rows(). A key that another one has, whosever it is,
-- raises SL002. Whom a key is for stays.
create or replace function write_license_keys(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into license_keys (business_id, mode, license_key_id, key, customer_id, product_id,
    brand_id, payment_id, subscription_id, grant_id, source, activations_limit, instances_count,
    expires_at, disabled, created_at, updated_at)
  select n.business_id, n.mode, n.license_key_id, n.key, n.customer_id, n.product_id, n.brand_id,
    n.payment_id, n.subscription_id, n.grant_id, n.source, n.activations_limit, n.instances_count,
    n.expires_at, n.disabled, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::license_keys, p_rows) n
  order by n.license_key_id
  on conflict (license_key_id) do update set
    activations_limit = excluded.activations_limit, instances_count = excluded.instances_count,
    expires_at = excluded.expires_at, disabled = excluded.disabled,
    updated_at = excluded.updated_at;
exception when unique_violation then
  raise exception 'this license key is there already' using errcode = 'SL002';
end $$;
