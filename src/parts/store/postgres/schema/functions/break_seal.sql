-- Runs before somebody writes to a sealed row of usage: that row, and its cycle with it, is open
-- again.
create or replace function break_seal() returns trigger language plpgsql as $$
begin
  new.sealed := false;
  return new;
end $$;
