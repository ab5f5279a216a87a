-- The one place that writes checkout sessions, behind standing_rows(). What was asked for stays.
create or replace function write_checkout_sessions(p_rows jsonb) returns void language plpgsql as $$
begin
  insert into checkout_sessions (business_id, mode, session_id, request, payment_id, completed_at,
    expires_at, version, created_at)
  select n.business_id, n.mode, n.session_id, n.request, n.payment_id, n.completed_at,
    n.expires_at, n.version, n.created_at
  from jsonb_populate_recordset(null::checkout_sessions, p_rows) n
  order by n.session_id
  on conflict (session_id) do update set
    payment_id = excluded.payment_id, completed_at = excluded.completed_at,
    version = drawn_version(excluded.version);
end $$;
