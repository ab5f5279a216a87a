-- A grant as JSON with its quantities as text: JSON numbers would lose digits.
create or replace function grant_json(g grants) returns jsonb language sql immutable as $$
  select to_jsonb(g) || jsonb_build_object(
    'initial', g.initial::text, 'remaining', g.remaining::text, 'drawn', g.drawn::text,
    'base_remaining', g.base_remaining::text, 'base_drawn', g.base_drawn::text)
$$;
