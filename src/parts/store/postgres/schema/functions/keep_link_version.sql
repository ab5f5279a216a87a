-- Keeps each version of an entitlement's default links, in the way of keep_meter_version().
create or replace function keep_link_version() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.stretches = new.stretches
    and (old.deleted_at is null) = (new.deleted_at is null) then return null;
  end if;
  insert into link_versions as v (business_id, mode, credit_entitlement_id, version, stretches)
  select new.business_id, new.mode, new.credit_entitlement_id, b.catalog_version,
    case when new.deleted_at is null then new.stretches else '[]' end
  from business_modes b where (b.business_id, b.mode) = (new.business_id, new.mode)
  on conflict (business_id, mode, credit_entitlement_id, version)
    do update set stretches = excluded.stretches;
  update link_versions v set replaced_at = clock_timestamp()
  from business_modes b
  where (b.business_id, b.mode) = (new.business_id, new.mode)
    and (v.business_id, v.mode, v.credit_entitlement_id)
      = (new.business_id, new.mode, new.credit_entitlement_id)
    and v.version < b.catalog_version and v.replaced_at is null;
  return null;
end $$;
