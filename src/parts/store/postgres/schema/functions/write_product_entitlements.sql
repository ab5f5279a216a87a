-- Alone writes product entitlements, behind standing_rows(). The type of one is for good.
create or replace function write_product_entitlements(p_rows jsonb) returns void
language plpgsql as $$
begin
  insert into product_entitlements (business_id, mode, entitlement_id, name, description,
    integration_type, config, metadata, deleted_at, created_at, updated_at)
  select n.business_id, n.mode, n.entitlement_id, n.name, n.description, n.integration_type,
    n.config, n.metadata, n.deleted_at, n.created_at, n.updated_at
  from jsonb_populate_recordset(null::product_entitlements, p_rows) n
  order by n.entitlement_id
  on conflict (entitlement_id) do update set
    name = excluded.name, description = excluded.description, config = excluded.config,
    metadata = excluded.metadata, deleted_at = excluded.deleted_at,
    updated_at = excluded.updated_at;
end $$;
