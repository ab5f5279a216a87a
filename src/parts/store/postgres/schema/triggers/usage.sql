-- A trigger, so that no statement that writes usage can forget it.
create trigger break_seal_:release before update on usage
  for each row when (current_setting('sluice.release', true) = ':release'
    and old.sealed and new.sealed)
  execute function break_seal();
