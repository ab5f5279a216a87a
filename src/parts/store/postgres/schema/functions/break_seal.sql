-- A trigger, since whoever writes usage must not be able to forget it.
create or replace function break_seal() returns trigger language plpgsql as $$
begin
  new.sealed := false;
  return new;
end $$;

create or replace trigger break_seal before update on usage
  for each row when (old.sealed and new.sealed) execute function break_seal();
