-- Alone writes users, whose rows standing_rows() has locked and compared. An error with SQLSTATE
-- SL002 where somebody else has the e-mail address. The sessions of a user who is removed end.
create or replace function write_users(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into users (business_id, user_id, email, name, role, password, setup_hash, setup_ends_at,
    version, created_at, removed_at)
  select n.business_id, n.user_id, n.email, n.name, n.role, n.password, n.setup_hash,
    n.setup_ends_at, n.version, n.created_at, n.removed_at
  from jsonb_populate_recordset(null::users, p_rows) n
  order by n.user_id
  on conflict (user_id) do update set
    password = excluded.password,
    setup_hash = excluded.setup_hash,
    setup_ends_at = excluded.setup_ends_at,
    version = excluded.version,
    removed_at = excluded.removed_at;

  delete from console_sessions s
  using jsonb_populate_recordset(null::users, p_rows) n
  where s.user_id = n.user_id and n.removed_at is not null;
exception when unique_violation then
  raise exception 'the e-mail address is taken' using errcode = 'SL002';
end $$;
