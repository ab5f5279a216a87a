-- Alone writes the places where license keys are in use, behind standing_rows(); their number
-- stands with the key, in the same change.
create or replace function write_license_key_instances(p_rows jsonb) returns void
language plpgsql as $$
begin
  delete from license_key_instances i
  using jsonb_to_recordset(p_rows) n (instance_id text, ends boolean)
  where i.instance_id = n.instance_id and n.ends;

  insert into license_key_instances (business_id, mode, instance_id, license_key_id, name,
    created_at)
  select n.business_id, n.mode, n.instance_id, n.license_key_id, n.name, n.created_at
  from jsonb_to_recordset(p_rows) n (business_id text, mode text, instance_id text,
    license_key_id text, name text, created_at timestamptz, ends boolean)
  where not n.ends
  order by n.instance_id
  on conflict (instance_id) do update set name = excluded.name;
end $$;
