-- A sealed row that is written to is open again, and its cycle with it.
create or replace function break_seal() returns trigger language plpgsql as $$
begin
  new.sealed := false;
  return new;
end $$;
