-- Keeps a meter as it is from this version of the catalog on. It is a trigger, so that no statement
-- that changes a meter can forget it; it runs at the end of the transaction, when catalog_version
-- has moved too, whichever of the two statements came first.
create or replace function keep_meter_version() returns trigger language plpgsql as $$
begin
  insert into meter_versions as v (business_id, mode, meter_id, version, archived)
  select new.business_id, new.mode, new.meter_id, b.catalog_version, new.archived
  from business_modes b where (b.business_id, b.mode) = (new.business_id, new.mode)
  on conflict (business_id, mode, meter_id, version) do update set archived = excluded.archived;
  update meter_versions v set replaced_at = clock_timestamp()
  from business_modes b
  where (b.business_id, b.mode) = (new.business_id, new.mode)
    and (v.business_id, v.mode, v.meter_id) = (new.business_id, new.mode, new.meter_id)
    and v.version < b.catalog_version and v.replaced_at is null;
  return null;
end $$;
