-- A trigger, since whoever writes usage must not be able to forget it.
create trigger break_seal_:release before update on usage
  for each row when (current_setting('sluice.release', true) = ':release'
    and old.sealed and new.sealed)
  execute function break_seal();
