-- A trigger, so that no statement that writes usage can forget it.
create trigger break_seal_:release before update on usage
  for each row when (old.sealed and new.sealed
    and current_setting('sluice.release', true) = ':release')
  execute function break_seal();
