-- Alone writes grants of product entitlements, behind standing_rows(). Whom a grant is for, and
-- what brought it, stays. One that another transaction has made for the same purchase since raises
-- SL001.
create or replace function write_entitlement_grants(p_rows jsonb) returns void
language plpgsql as $$
begin
  insert into entitlement_grants (business_id, mode, grant_id, entitlement_id, integration_type,
    customer_id, brand_id, product_id, payment_id, subscription_id, status, revocation_reason,
    error_code, error_message, oauth_url, oauth_expires_at, metadata, delivered_at, revoked_at,
    created_at, updated_at)
  select n.business_id, n.mode, n.grant_id, n.entitlement_id, n.integration_type, n.customer_id,
    n.brand_id, n.product_id, n.payment_id, n.subscription_id, n.status, n.revocation_reason,
    n.error_code, n.error_message, n.oauth_url, n.oauth_expires_at, n.metadata, n.delivered_at,
    n.revoked_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::entitlement_grants, p_rows) n
  order by n.grant_id
  on conflict (grant_id) do update set
    status = excluded.status, revocation_reason = excluded.revocation_reason,
    error_code = excluded.error_code, error_message = excluded.error_message,
    oauth_url = excluded.oauth_url, oauth_expires_at = excluded.oauth_expires_at,
    metadata = excluded.metadata, delivered_at = excluded.delivered_at,
    revoked_at = excluded.revoked_at, updated_at = excluded.updated_at;
exception when unique_violation then
  raise exception 'this purchase has such a grant already' using errcode = 'SL001';
end $$;
