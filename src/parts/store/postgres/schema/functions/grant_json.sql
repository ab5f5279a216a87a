-- A grant as load_accounts() answers it, with its quantities as text: JSON numbers would lose
-- digits. Json, and stable, as account_json() is.
create or replace function grant_json(g grants) returns json language sql stable as $$
  select json_build_object(
    'grant_id', g.grant_id, 'number', g.number, 'source_type', g.source_type,
    'source_id', g.source_id, 'parent_grant_id', g.parent_grant_id,
    'rollover_count', g.rollover_count, 'cycle_at', g.cycle_at, 'initial', g.initial::text,
    'remaining', g.remaining::text, 'drawn', g.drawn::text,
    'base_remaining', g.base_remaining::text, 'base_drawn', g.base_drawn::text,
    'expires_at', g.expires_at, 'metadata', g.metadata, 'created_at', g.created_at)
$$;
