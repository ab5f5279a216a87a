-- Alone writes meters, which standing_rows() has locked and compared. A meter that exists already
-- can only be archived or unarchived.
create or replace function write_meters(p_rows jsonb) returns void language plpgsql as $$
begin
  -- With a new version measuring reloads the catalog.
  update business_modes b set catalog_version = drawn_version(b.catalog_version + 1)
  from (
    select l.business_id, l.mode from business_modes l
    where (l.business_id, l.mode) in (
      select n.business_id, n.mode from jsonb_populate_recordset(null::meters, p_rows) n)
    order by l.business_id, l.mode for no key update) moved
  where (b.business_id, b.mode) = (moved.business_id, moved.mode);

  insert into meters (business_id, mode, meter_id, name, event_name, aggregation, aggregation_key,
    filter, measurement_unit, description, archived, archived_at, created_at, updated_at)
  select n.business_id, n.mode, n.meter_id, n.name, n.event_name, n.aggregation, n.aggregation_key,
    n.filter, n.measurement_unit, n.description, n.archived, n.archived_at, n.created_at,
    n.updated_at
  from jsonb_populate_recordset(null::meters, p_rows) n
  order by n.business_id, n.mode, n.meter_id
  on conflict (business_id, mode, meter_id) do update set
    archived = excluded.archived, archived_at = excluded.archived_at,
    updated_at = excluded.updated_at;
end $$;
